import type { z } from 'zod';
import type { getAccess } from '#shared/access-gate/contract.ts';
import { hasAccess, type UserRow } from '#shared/server/collections.ts';
import type { Services } from '../../platform/services.ts';
import { accessCodes, accessCodeUses } from '../access-gate/collections.ts';
import { accessEnd } from '../access-gate/uses.ts';
import { donations, providerStateOf } from './collections.ts';

type AccessStatus = z.output<typeof getAccess.answer>;

/** Returns until when a user has access, when and why it ended, and what it was given for. */
export async function accessStatus(
  { db }: Pick<Services, 'db'>,
  user: UserRow,
  now = new Date(),
): Promise<AccessStatus> {
  const use = await accessCodeUses(db).findOne({ user_id: user._id }, { sort: { used_at: -1 } });
  const code = use && (await accessCodes(db).findOne({ _id: use.access_code_id }));
  const donation =
    code?.source === 'donation'
      ? await donations(db).findOne({ access_code_granted: code.code, user_id: user._id })
      : null;
  const isActive = hasAccess(user, now);
  const isRevoked = !isActive && code?.revoked_at !== undefined && !code.is_active;
  const ends = user.access_expires_at ?? (use && accessEnd(use.used_at));
  const endsAt = isRevoked ? code.revoked_at : ends;
  return {
    state: isActive ? 'active' : use ? 'ended' : 'never',
    ends_at: endsAt?.toISOString() ?? null,
    reason: isActive || !use ? null : !isRevoked ? 'expired' : donation ? 'refunded' : 'withdrawn',
    access_code: isActive ? (code?.code ?? null) : null,
    donation: donation && {
      id: donation._id,
      amount_cents: donation.amount_cents,
      currency: donation.currency,
      payment_status: donation.payment_status,
      provider_state: providerStateOf(donation),
      paid_at: (donation.submitted_at ?? donation.updated_at).toISOString(),
    },
  };
}
