import type { Context } from 'koa';
import { DONOR_COOKIE } from '#shared/payments/contract.ts';
import { tokenHash, type UserRow } from '#shared/server/collections.ts';
import { browserSecret } from '../../platform/http/cookies.ts';
import {
  pick,
  writtenBeforeDeletion,
  type PersonalDataHandler,
} from '../../platform/personal-data.ts';
import type { Services } from '../../platform/services.ts';
import { accessCodes } from '../access-gate/collections.ts';
import { donations } from './collections.ts';
import { RECEIPTS_JOB } from './receipts.ts';

/** The id of a donation's access code. */
export const codeIdOf = (donationId: string): string => `donation-${donationId}`;

/**
 * Assigns donations that this browser made before sign-in to the user who signs in, who now gets their receipts. Admins find them by
 * the address of the account if none was given.
 */
export async function claimDonations(
  { db, runJobSoon }: Pick<Services, 'db' | 'runJobSoon'>,
  ctx: Context,
  { _id: user_id, email }: Pick<UserRow, '_id' | 'email'>,
): Promise<void> {
  const secret = browserSecret(ctx, DONOR_COOKIE);
  if (!secret) return;
  const { modifiedCount } = await donations(db).updateMany(
    { holder: tokenHash(secret), user_id: null },
    [{ $set: { user_id, email: { $ifNull: ['$email', email] } } }],
  );
  if (modifiedCount > 0) runJobSoon(RECEIPTS_JOB);
}

/** Donations stay for accounting when they are erased, without the person. */
export const donationData = ({ db }: Pick<Services, 'db'>): PersonalDataHandler => ({
  name: 'donations',
  async export({ _id }) {
    const rows = await donations(db).find({ user_id: _id }).sort({ created_at: 1 }).toArray();
    return rows.map((row) => ({
      id: row._id,
      ...pick(row, [
        'email',
        'amount_cents',
        'currency',
        'payment_provider',
        'payment_id',
        'payment_status',
        'provider_state',
        'access_code_granted',
        'ip_address',
        'user_agent',
        'created_at',
        'updated_at',
      ]),
    }));
  },
  async remove(user) {
    const { _id, email } = user;
    const theirs = { $or: [{ user_id: _id }, { email, created_at: writtenBeforeDeletion(user) }] };
    const ids = await donations(db).distinct('_id', theirs);
    await accessCodes(db).updateMany(
      { _id: { $in: ids.map(codeIdOf) } },
      { $unset: { holder: '', reservations: '' } },
    );
    await donations(db).updateMany(theirs, {
      $set: { user_id: null, email: null, holder: '', ip_address: '', user_agent: '' },
    });
  },
});
