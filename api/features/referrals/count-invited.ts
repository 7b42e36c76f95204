import type { Db } from 'mongodb';
import { isDuplicate } from '#shared/server/database-errors.ts';
import { createEmail, nameInEmail } from '../../platform/mail-queue/compose-email.ts';
import type { Services } from '../../platform/services.ts';
import { findUser } from '../../platform/session/collections.ts';
import { accessCodes, accessCodeUses } from '../access-gate/collections.ts';
import { namesOf } from '../profile/names.ts';
import { lookalikesFor } from '../relationships/lookalike-names.ts';
import { type ReferralRow, referrals } from './collections.ts';
import { referralOfCode } from './invitation-codes.ts';

/** Returns the first access code of a user, and the referral that it belongs to; null for one that is no invitation's. */
async function cameBy(db: Db, userId: string) {
  const use = await accessCodeUses(db).findOne({ user_id: userId }, { sort: { used_at: 1 } });
  const code = use && (await accessCodes(db).findOne({ _id: use.access_code_id }));
  const referralId = code && referralOfCode(code);
  return referralId ? { use, code, referralId } : null;
}

/** Returns the id of the invitation that brought a user; null without one. */
export const invitationOf = async (db: Db, userId: string): Promise<string | null> =>
  (await cameBy(db, userId))?.referralId ?? null;

/** Counts that a new user came with an invitation's code, and notifies the inviter, once. May be repeated. */
export async function countInvited(services: Services, userId: string): Promise<void> {
  const { db, push, mailQueue } = services;
  const came = await cameBy(db, userId);
  if (!came) return;
  const { use, code, referralId } = came;
  try {
    const counted = await referrals(db).findOneAndUpdate(
      { _id: referralId, accessed_at: null },
      {
        $set: {
          access_code_used: code.code,
          accessed_at: new Date(),
          use_id: use._id,
          ...(await emailAbout(services, code.inviter_user_id ?? '', userId)),
        },
      },
      { returnDocument: 'after' },
    );
    if (!counted) return;
    await mailQueue.from('referrals').post(referralId);
    await push.notify({
      topic: 'invitation',
      user_id: counted.referrer_user_id,
      subject: referralId,
      key: `invitation ${referralId}`,
      tag: `invitation-${referralId}`,
    });
  } catch (error) {
    // This access was counted before, for another invitation.
    if (!isDuplicate(error)) throw error;
  }
}

const LOOKALIKE =
  'It looks like your own name, or that of one of your friends, but this is somebody else.';

/** The email to the inviter, as a field of the referral's row; none if we can't send it. */
async function emailAbout(
  { env, db, mailQueue }: Services,
  inviterId: string,
  userId: string,
): Promise<Pick<ReferralRow, 'post'>> {
  const inviter = await findUser(db, inviterId);
  if (!inviter?.email_verified || !mailQueue.canSend('email')) return {};
  const shown = (await namesOf(db, [userId])).get(userId) ?? '';
  const name = nameInEmail(shown);
  const isLookalike = (await lookalikesFor(db, inviterId))(userId, shown) !== null;
  const product = env.PRODUCT_NAME;
  const message = createEmail(env, {
    to: inviter.email,
    heading: `Somebody joined ${product} with your invitation`,
    parts: [
      'They go by this name:',
      { quote: name },
      ...(isLookalike ? [LOOKALIKE] : []),
      'You can send each other a friend request now.',
      { link: `${env.PUBLIC_ORIGIN}/social`, words: `Open ${product}` },
    ],
    reason: `You’re receiving this because you invited someone to ${product}.`,
  });
  return { post: { message, at: new Date(), name: 'joined' } };
}
