import { expect, test } from 'vitest';
import { donationOn, sweepDonations } from '../../api/charities/donations.ts';
import type { Database } from '../../api/database.ts';

test('a record that cannot be counted keeps no other from being counted', async () => {
  const waiting = ['broken', 'whole'].map((charity) => donationOn(new Date(), charity, 'ann'));
  const counted: string[] = [];
  const rows = {
    charities: {
      async updateOne({ _id }: { _id: string }) {
        if (_id === 'broken') throw new Error('the row is too large');
        counted.push(_id);
      },
    },
    charityDonations: { find: () => waiting, findOne: async () => null, async updateOne() {} },
  };
  await expect(sweepDonations(rows as unknown as Database)).rejects.toThrow('too large');
  expect(counted).toEqual(['whole']);
});
