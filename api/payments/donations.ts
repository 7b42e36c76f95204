import { insertWithNewCode, newCode } from '../access-gate/new-code.ts';
import { revokeCode } from '../access-gate/revoke.ts';
import type { AccessCodeRow } from '../access-gate/collections.ts';
import { wordsOf } from '../admin/search.ts';
import type { Services } from '../services.ts';
import { codeIdOf } from './donation-ownership.ts';
import type { PaymentGateway } from './gateway.ts';
import { paymentMachine, type PaymentMachine } from './payment-state-machine.ts';
import { type DonationRow, donations, paymentTokens } from './collections.ts';

/** The access code of a donation. */
function codeRowOf({ _id, holder }: DonationRow, code: string): AccessCodeRow {
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
      const { code } = await insertWithNewCode(services.db, (drawn) => codeRowOf(donation, drawn));
      await donations(services.db).updateOne(
        { _id: donation._id },
        { $set: { access_code_granted: code } },
      );
    },
    takeBack: (donation) => revokeCode(services, codeRowOf(donation, newCode())),
  });
}
