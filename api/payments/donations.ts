import { randomInt } from 'node:crypto';
import { revokeCode } from '../access-gate/revoke.ts';
import { type AccessCodeRow, accessCodes } from '../access-gate/collections.ts';
import { wordsOf } from '../admin/search.ts';
import { isDuplicate } from '#shared/server/duplicate-key.ts';
import type { Services } from '../services.ts';
import { codeIdOf } from './donation-ownership.ts';
import type { PaymentGateway } from './gateway.ts';
import { paymentMachine, type PaymentMachine } from './payment-state-machine.ts';
import { type DonationRow, donations, paymentTokens } from './collections.ts';

/** Letters and digits that are not easily confused. */
const ALPHABET = '23456789ABCDEFGHJKMNPQRSTVWXYZ';
const GROUPS = 3;
const GROUP = 4;
const DRAWS = 3;

/** A code such as PAW-7K2M-QX9D-4TNB: short enough to type, with 58 random bits. */
function newCode(): string {
  const letter = () => ALPHABET[randomInt(ALPHABET.length)] ?? '';
  const group = () => Array.from({ length: GROUP }, letter).join('');
  return ['PAW', ...Array.from({ length: GROUPS }, group)].join('-');
}

/** The access code of a donation. */
function codeRowOf({ _id, holder }: DonationRow): AccessCodeRow {
  const code = newCode();
  const description = 'Donation';
  return {
    _id: codeIdOf(_id),
    code,
    description,
    max_uses: 1,
    current_uses: 0,
    is_active: true,
    expires_at: null,
    created_at: new Date(),
    holder,
    source: 'donation',
    words: wordsOf(code, description),
  };
}

/** Donations at the gate: each completed one creates an access code, and a refund revokes it. */
export function donationMachine(
  services: Pick<Services, 'db' | 'signals' | 'log'>,
  gateway: PaymentGateway,
  now?: () => Date,
): PaymentMachine<DonationRow> {
  /** @returns the access code of a donation; draws another one if the code is taken */
  async function makeCode(donation: DonationRow, draws = DRAWS): Promise<AccessCodeRow> {
    const row = codeRowOf(donation);
    try {
      await accessCodes(services.db).insertOne(row);
      return row;
    } catch (error) {
      const made = isDuplicate(error)
        ? await accessCodes(services.db).findOne({ _id: row._id })
        : null;
      if (made) return made;
      if (draws === 1 || !isDuplicate(error)) throw error;
      return makeCode(donation, draws - 1);
    }
  }

  return paymentMachine<DonationRow>({
    kind: 'donation',
    description: 'Donation for access',
    rows: donations(services.db),
    tokens: paymentTokens(services.db),
    gateway,
    log: services.log,
    ...(now ? { now } : {}),
    async fulfil(donation) {
      if (donation.access_code_granted) return;
      const { code } = await makeCode(donation);
      await donations(services.db).updateOne(
        { _id: donation._id },
        { $set: { access_code_granted: code } },
      );
    },
    takeBack: (donation) => revokeCode(services, codeRowOf(donation)),
  });
}
