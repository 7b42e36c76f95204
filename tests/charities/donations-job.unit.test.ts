import type { Db } from 'mongodb';
import { expect, test } from 'vitest';
import { donationOn, runDonationsJob } from '../../api/features/charities/donations.ts';

test('a donation that can’t be counted does not block the others', async () => {
  const waiting = ['broken', 'whole'].map((charity) => donationOn(new Date(), charity, 'ann'));
  const counted: string[] = [];
  const collections: Record<string, object> = {
    charities: {
      async updateOne({ _id }: { _id: string }) {
        if (_id === 'broken') throw new Error('the row is too large');
        counted.push(_id);
      },
    },
    charity_donations: { find: () => waiting, findOne: async () => null, async updateOne() {} },
  };
  const db = { collection: (name: string) => collections[name] } as unknown as Db;
  await expect(runDonationsJob(db)).rejects.toThrow('too large');
  expect(counted).toEqual(['whole']);
});
