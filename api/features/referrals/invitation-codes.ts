import type { Db } from 'mongodb';
import { CODES_PER_MONTH, INVITATION_DAYS } from '#shared/referrals/rules.ts';
import { isDuplicate } from '#shared/server/database-errors.ts';
import { DAY_MS } from '#shared/time.ts';
import { addressId } from '../../platform/mail-queue/messages.ts';
import { deleteDue } from '../../platform/retention.ts';
import { type AccessCodeRow, accessCodes } from '../access-gate/collections.ts';
import { insertWithNewCode, unusedCode } from '../access-gate/new-code.ts';
import { POLICY_ID, type ReferralRow, invitationPolicies } from './collections.ts';

/** Longer than a month, so that the codes of a month count until it ends. */
const EXPIRED_DAYS = 35;

const codeIdOf = (referralId: string): string => `referral ${referralId}`;
const referralIdOf = (codeId: string): string => codeId.slice(codeIdOf('').length);

/** The access codes of invitations. */
export interface InvitationCodes {
  /**
   * Makes the access code of an invitation; may be repeated.
   * @param email of the inviter, by which the codes of a month are counted
   * @param expiresAt when the invitation ends; 30 days from now without it
   * @returns null when the inviter has no code left this month
   */
  make(
    referral: Pick<ReferralRow, '_id' | 'referrer_user_id'>,
    email: string,
    expiresAt?: Date,
  ): Promise<AccessCodeRow | null>;
  /** Ends the code of an invitation that was not used, and gives it back to its inviter. @returns false if it was used */
  end(referralId: string): Promise<boolean>;
  /** Returns the codes that can be used now, by referral id. */
  usable(referralIds: string[]): Promise<Map<string, AccessCodeRow>>;
  /** How many codes this member gets a month, and how many are left. */
  allowance(email: string): Promise<{ perMonth: number; left: number }>;
}

/** Gives invitations an access code of their own, a few a month for each member (decision 10). */
export function invitationCodes(db: Db): InvitationCodes {
  async function perMonth(): Promise<number> {
    const policy = await invitationPolicies(db).findOne({ _id: POLICY_ID });
    return policy?.codes_per_month ?? CODES_PER_MONTH;
  }

  /** The slots of this month in which a member's codes are counted. */
  const slotsOf = (email: string, count: number): string[] => {
    const month = `${addressId('email', email)} ${new Date().toISOString().slice(0, 7)}`;
    return Array.from({ length: count }, (_, index) => `${month} ${index + 1}`);
  };

  async function takenOf(slots: string[]): Promise<Set<string | undefined>> {
    const taken = await accessCodes(db)
      .find({ slot: { $in: slots } }, { projection: { slot: 1 } })
      .toArray();
    return new Set(taken.map(({ slot }) => slot));
  }

  return {
    async make(
      { _id, referrer_user_id },
      email,
      expires_at = new Date(Date.now() + INVITATION_DAYS * DAY_MS),
    ) {
      const made = await accessCodes(db).findOne({ _id: codeIdOf(_id) });
      if (made) return made;
      const slots = slotsOf(email, await perMonth());
      const taken = await takenOf(slots);
      for (const slot of slots) {
        if (taken.has(slot)) continue;
        try {
          return await insertWithNewCode(db, (code) =>
            unusedCode({
              _id: codeIdOf(_id),
              code,
              description: 'Invitation',
              max_uses: 1,
              expires_at,
              source: 'referral',
              inviter_user_id: referrer_user_id,
              slot,
            }),
          );
        } catch (error) {
          // Another invitation has just taken the slot.
          if (!isDuplicate(error)) throw error;
        }
      }
      return null;
    },

    async end(referralId) {
      const _id = codeIdOf(referralId);
      await accessCodes(db).deleteOne({ _id, current_uses: 0 });
      return (await accessCodes(db).findOne({ _id })) === null;
    },

    async usable(referralIds) {
      const rows = await accessCodes(db)
        .find({
          _id: { $in: referralIds.map(codeIdOf) },
          is_active: true,
          expires_at: { $gt: new Date() },
          current_uses: 0,
        })
        .toArray();
      return new Map(rows.map((row) => [referralIdOf(row._id), row]));
    },

    async allowance(email) {
      const count = await perMonth();
      const taken = await takenOf(slotsOf(email, count));
      return { perMonth: count, left: count - taken.size };
    },
  };
}

/** Deletes the codes that count toward no month anymore. */
export const removeExpiredCodes = (db: Db): Promise<void> =>
  deleteDue(accessCodes(db), {
    inviter_user_id: { $exists: true },
    expires_at: { $lt: new Date(Date.now() - EXPIRED_DAYS * DAY_MS) },
  });

/** Returns the referral of an access code; null for other codes. */
export const referralOfCode = ({
  _id,
  inviter_user_id,
}: Pick<AccessCodeRow, '_id' | 'inviter_user_id'>): string | null =>
  inviter_user_id ? referralIdOf(_id) : null;

/**
 * Turns off the codes of a deleted member. The rows stay until they expire, without the member's id: a new account doesn't get
 * new codes.
 */
export async function removeInvitationCodes(db: Db, userId: string): Promise<void> {
  await accessCodes(db).updateMany(
    { inviter_user_id: userId },
    { $set: { is_active: false, inviter_user_id: '' } },
  );
}
