import { tokenHash } from '#shared/server/collections.ts';
import type { Services } from '../services.ts';
import { grantToUser, grantToVisitor, newGrantToken } from './grants.ts';
import { isRevoked, takeBackUses } from './revoke.ts';
import {
  type AccessCodeRow,
  type AccessCodeUseRow,
  accessCodes,
  accessGrants,
  accessCodeUses,
} from './collections.ts';
import { accessEnd, countUse, recordUse, settleReservations, usable } from './uses.ts';

/** Who stands at the gate. */
export interface Visitor {
  /** Null: nobody is signed in. */
  userId: string | null;
  /** The use behind the visitor's grant, if there is one. */
  grantedUse: string | null;
  /** The hash of the browser's donor cookie, if it has one. */
  donor: string | null;
  address: string;
}

export interface Entry {
  code: string;
  expires_at: Date;
  /** The secret of a visitor's new grant; null where there is no new one. */
  token: string | null;
}

/**
 * Lets somebody in with a code: counts a use, unless it is their own again.
 * @returns null when the code is not to be used
 */
export async function redeemCode(
  services: Pick<Services, 'db' | 'signals'>,
  code: string,
  comer: Visitor,
): Promise<Entry | null> {
  const now = new Date();
  // A wrong code takes the same steps as a right one, so that neither words nor time tell them apart.
  const known = await accessCodes(services.db).findOne(usable(code, now));
  const used = await earlierUse(services, known, comer);
  const again = known && used && accessEnd(used.used_at) > now;
  const entry = again
    ? await comeAgain(services, known.code, used, comer)
    : await comeFirst(services, code, comer, payerOf(known, comer), now);
  if (!entry) return null;
  const { codeId, ...answer } = entry;
  if (!(await isRevoked(services, codeId))) return answer;
  // Taken back while it was used: it gives nothing.
  await takeBackUses(services, codeId);
  return null;
}

type Entered = Entry & { codeId: string };
type Has = Pick<Services, 'db' | 'signals'>;

/** The comer's browser, if it is the one that paid for the code. */
const payerOf = (code: AccessCodeRow | null, { donor }: Visitor): string | null =>
  code?.holder === donor ? donor : null;

/** The comer's own use of a code; of one that this browser paid for, also the use whose grant never arrived. */
async function earlierUse(
  { db }: Has,
  known: AccessCodeRow | null,
  comer: Visitor,
): Promise<AccessCodeUseRow | null> {
  const { userId, grantedUse } = comer;
  const access_code_id = known?._id ?? '';
  const newest = { sort: { used_at: -1 } } as const;
  const used = await accessCodeUses(db).findOne(
    userId ? { access_code_id, user_id: userId } : { access_code_id, _id: grantedUse ?? '' },
    newest,
  );
  if (used || !payerOf(known, comer)) return used;
  const nobodys = { access_code_id, user_id: null };
  return userId
    ? accessCodeUses(db).findOneAndUpdate(nobodys, { $set: { user_id: userId } })
    : accessCodeUses(db).findOne(nobodys, newest);
}

async function comeAgain(
  services: Has,
  code: string,
  use: AccessCodeUseRow,
  { userId, grantedUse }: Visitor,
): Promise<Entered> {
  const { _id: use_id, access_code_id } = use;
  const expires_at = accessEnd(use.used_at);
  const entered = { code, codeId: access_code_id, expires_at, token: null };
  if (userId) await grantToUser(services, userId, expires_at);
  if (userId || grantedUse === use_id) return entered;
  // In the place of a grant that its browser never got.
  const token = newGrantToken();
  await accessGrants(services.db).deleteMany({ use_id, user_id: null });
  await grantToVisitor(services, token, { use_id, access_code_id, expires_at });
  return { ...entered, token };
}

async function comeFirst(
  services: Has,
  code: string,
  { userId, address }: Visitor,
  payer: string | null,
  now: Date,
): Promise<Entered | null> {
  const token = newGrantToken();
  const claimant = payer ?? userId ?? tokenHash(token);
  let counted = await countUse(services, code, claimant, now);
  if (!counted && payer) {
    // Their own use may be counted and never have been recorded: they need not wait for the sweep.
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
  if (userId) await grantToUser(services, userId, expires_at);
  return {
    code: counted.code.code,
    codeId: access_code_id,
    expires_at,
    token: userId ? null : token,
  };
}
