import { tokenHash } from '#shared/server/collections.ts';
import { randomToken } from '../../platform/random-token.ts';
import type { Services } from '../../platform/services.ts';
import {
  type AccessCodeRow,
  type AccessCodeUseRow,
  accessCodes,
  accessGrants,
  accessCodeUses,
} from './collections.ts';
import { grantToVisitor } from './grants.ts';
import { admitsInvited } from './invited.ts';
import { measureAccess } from './measure-access.ts';
import { isRevoked, takeBackUses } from './revoke.ts';
import { accessEnd, countUse, recordUse, settleReservations, usable } from './uses.ts';

/** A visitor of the access gate. */
export interface Visitor {
  /** Null: not signed in. */
  userId: string | null;
  /** The use behind the visitor's grant, if there is one. */
  grantedUse: string | null;
  /** The hash of the browser's donor cookie, if it has one. */
  donor: string | null;
  address: string;
}

export interface Entry {
  code: string;
  /** When the access of the visitor ends with this entry. */
  expires_at: Date;
  /** The secret of a new grant; null if there is none. */
  token: string | null;
}

/**
 * Redeems a code: counts a use, unless the visitor used it before.
 * @returns null when the code can’t be used
 */
export async function redeemCode(
  services: Pick<Services, 'db' | 'signals'>,
  code: string,
  visitor: Visitor,
): Promise<Entry | null> {
  const now = new Date();
  // A wrong code takes the same steps, so that timing doesn’t reveal valid codes.
  const known = await accessCodes(services.db).findOne(usable(code, now));
  if (known && !(await admitsInvited(services, known, visitor.userId))) return null;
  const used = await earlierUse(services, known, visitor);
  const again = known && used && accessEnd(used.used_at) > now;
  const entry = again
    ? await reuseCode(services, known.code, used, visitor)
    : await consumeCode(services, code, visitor, { payer: payerOf(known, visitor), now });
  if (!entry) return null;
  const { codeId, ...answer } = entry;
  if (!(await isRevoked(services, codeId))) return answer;
  // Revoked in the meantime.
  await takeBackUses(services, codeId);
  return null;
}

type Entered = Entry & { codeId: string };
type Has = Pick<Services, 'db' | 'signals'>;

/** Returns the donor hash if this browser paid for the code. */
const payerOf = (code: AccessCodeRow | null, { donor }: Visitor): string | null =>
  code?.holder === donor ? donor : null;

/**
 * Finds the visitor’s earlier use of a code; for its donor, also a use whose grant never arrived.
 */
async function earlierUse(
  { db }: Has,
  known: AccessCodeRow | null,
  visitor: Visitor,
): Promise<AccessCodeUseRow | null> {
  const { userId, grantedUse } = visitor;
  const access_code_id = known?._id ?? '';
  const newest = { sort: { used_at: -1 } } as const;
  const used = await accessCodeUses(db).findOne(
    userId ? { access_code_id, user_id: userId } : { access_code_id, _id: grantedUse ?? '' },
    newest,
  );
  if (used || !payerOf(known, visitor)) return used;
  const unassigned = { access_code_id, user_id: null };
  return userId
    ? accessCodeUses(db).findOneAndUpdate(unassigned, { $set: { user_id: userId } })
    : accessCodeUses(db).findOne(unassigned, newest);
}

async function reuseCode(
  services: Has,
  code: string,
  use: AccessCodeUseRow,
  { userId, grantedUse }: Visitor,
): Promise<Entered> {
  const { _id: use_id, access_code_id } = use;
  const expires_at = (userId && (await measureAccess(services, userId))) || accessEnd(use.used_at);
  const entered = { code, codeId: access_code_id, expires_at, token: null };
  if (userId || grantedUse === use_id) return entered;
  // Replaces a grant that the browser never received.
  const token = randomToken(32);
  await accessGrants(services.db).deleteMany({ use_id, user_id: null });
  await grantToVisitor(services, token, { use_id, access_code_id, expires_at });
  return { ...entered, token };
}

async function consumeCode(
  services: Has,
  code: string,
  { userId, address }: Visitor,
  { payer, now }: { payer: string | null; now: Date },
): Promise<Entered | null> {
  const token = randomToken(32);
  const claimant = payer ?? userId ?? tokenHash(token);
  let counted = await countUse(services, code, claimant, now);
  if (!counted && payer) {
    // The donor’s own use may be counted but not recorded: no need to wait for the background job.
    await settleReservations(services);
    counted = await countUse(services, code, claimant, now);
  }
  if (!counted) return null;
  const access_code_id = counted.code._id;
  const { use_id, at } = counted.reservation;
  const expires_at = accessEnd(at);
  if (!userId) await grantToVisitor(services, token, { use_id, access_code_id, expires_at });
  const isTheirs = await recordUse(services, counted, { user_id: userId, ip_address: address });
  if (!isTheirs) return null;
  return {
    code: counted.code.code,
    codeId: access_code_id,
    expires_at: (userId && (await measureAccess(services, userId))) || expires_at,
    token: userId ? null : token,
  };
}
