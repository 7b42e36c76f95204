import { newCode } from '#shared/access-gate/new-code.ts';
import type { Services } from '../../platform/services.ts';
import type { AccessCodeRow } from '../access-gate/collections.ts';
import { insertWithNewCode, unusedCode } from '../access-gate/new-code.ts';
import { restoreCode, revokeCode } from '../access-gate/revoke.ts';
import { type DonationRow, donations, paymentTokens } from './collections.ts';
import { codeIdOf } from './donation-ownership.ts';
import type { PaymentGateway } from './gateway.ts';
import { createPaymentMachine, type PaymentMachine } from './payment-state-machine.ts';

/** The access code of a donation. */
const codeRowOf = ({ _id, holder }: DonationRow, code: string): AccessCodeRow =>
  unusedCode({
    _id: codeIdOf(_id),
    code,
    description: 'Donation',
    max_uses: 1,
    expires_at: null,
    holder,
    source: 'donation',
  });

/** Donations at the gate: each completed one creates an access code; a refund or a lost dispute revokes it. */
export function createDonationMachine(
  services: Pick<Services, 'db' | 'signals' | 'log'>,
  gateway: PaymentGateway,
  now?: () => Date,
): PaymentMachine<DonationRow> {
  return createPaymentMachine<DonationRow>({
    kind: 'donation',
    description: 'Donation for access',
    rows: donations(services.db),
    tokens: paymentTokens(services.db),
    gateway,
    log: services.log,
    ...(now ? { now } : {}),
    async fulfil(donation) {
      if (!donation.access_code_granted) {
        const made = await insertWithNewCode(services.db, (code) => codeRowOf(donation, code));
        await donations(services.db).updateOne(
          { _id: donation._id },
          { $set: { access_code_granted: made.code } },
        );
      }
      if (donation.reports) await restoreCode(services, codeIdOf(donation._id));
    },
    takeBack: (donation) => revokeCode(services, codeRowOf(donation, newCode())),
  });
}
