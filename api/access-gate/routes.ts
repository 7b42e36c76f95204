import { ACCESS_COOKIE, validateCode } from '#shared/access-gate/contract.ts';
import { DONOR_COOKIE } from '#shared/payments/contract.ts';
import { sessionId } from '#shared/rows.ts';
import type { Context } from 'koa';
import { readCookie, setCookie } from '../cookies.ts';
import { addressOf, networkOf } from '../origin.ts';
import type { Caller } from '../people.ts';
import { Refusal } from '../refusal.ts';
import { serve } from '../serve.ts';
import type { Api } from '../services.ts';
import { grantOf, grantToUser, grantToVisitor, newGrantToken } from './grants.ts';
import { heldAccess } from './held.ts';
import { isRevoked, takeBackUses } from './revoke.ts';
import type { AccessCodeRow, AccessCodeUseRow } from './rows.ts';
import {
  accessEnd,
  ACCESS_SECONDS,
  countUse,
  recordUse,
  settleReservations,
  usable,
} from './uses.ts';

const wrongCode = () => new Refusal(400, validateCode.failure, { code: 'invalid_code' });

/** The gate's code entry. */
export function mountAccessGate(api: Api): void {
  const { services } = api;
  const { accessCodes, accessCodeUses, accessGrants } = services.database;
  const limitAddress = services.limiter({
    name: 'gate-address',
    points: 100,
    seconds: 60,
    shared: true,
  });
  const limitWrong = services.limiter({
    name: 'gate-wrong',
    points: 500,
    seconds: 86_400,
    shared: true,
  });
  const limitAll = services.limiter({ name: 'gate-all', points: 3_000, seconds: 60, shared: true });
  services.sweep('access grants', () =>
    accessGrants.deleteMany({ expires_at: { $lt: new Date() } }),
  );
  services.holdings.add(heldAccess(services));
  services.sweep('counted uses', () => settleReservations(services));

  serve(api, validateCode, async ({ body, visitor, ctx }) => {
    const address = addressOf(ctx);
    const network = networkOf(address);
    await limitAddress(network);
    await limitAll('all');
    // Whoever guessed wrong too often may not go on guessing, right or wrong.
    await limitWrong.check(network);
    const now = new Date();
    const grant = visitor ? null : await grantOf(services, readCookie(ctx, ACCESS_COOKIE));

    // A wrong code takes the same steps as a right one, so that neither words nor time tell them apart.
    const known = await accessCodes.findOne(usable(body.code, now));
    const used = await earlierUse(known, visitor, grant?.use_id, ctx);
    if (known && used && accessEnd(used.used_at) > now) {
      const expires_at = accessEnd(used.used_at);
      if (visitor) await grantToUser(services, visitor.user._id, expires_at);
      else if (grant?.use_id !== used._id) await grantAgain(used, expires_at, ctx);
      await refuseRevoked(known._id);
      return { code: known.code, expires_at: expires_at.toISOString() };
    }
    const token = newGrantToken();
    const claimant = visitor ? visitor.user._id : sessionId(token);
    const counted = await countUse(services, body.code, claimant, now);
    if (!counted) {
      await limitWrong(network);
      throw wrongCode();
    }

    const expires_at = accessEnd(counted.reservation.at);
    if (!visitor) {
      const { use_id } = counted.reservation;
      await grantToVisitor(services, token, {
        use_id,
        access_code_id: counted.code._id,
        expires_at,
      });
      setCookie(ctx, ACCESS_COOKIE, token, ACCESS_SECONDS);
    }
    await recordUse(services, counted, {
      user_id: visitor?.user._id ?? null,
      ip_address: address,
    });
    if (visitor) await grantToUser(services, visitor.user._id, expires_at);
    await refuseRevoked(counted.code._id);
    return { code: counted.code.code, expires_at: expires_at.toISOString() };
  });

  /** The caller's own use of a code; of one that this browser paid for, also the use whose grant never arrived. */
  async function earlierUse(
    known: AccessCodeRow | null,
    visitor: Caller | null,
    granted: string | undefined,
    ctx: Context,
  ): Promise<AccessCodeUseRow | null> {
    const access_code_id = known?._id ?? '';
    const newest = { sort: { used_at: -1 } } as const;
    const used = await accessCodeUses.findOne(
      visitor
        ? { access_code_id, user_id: visitor.user._id }
        : { access_code_id, _id: granted ?? '' },
      newest,
    );
    const donor = readCookie(ctx, DONOR_COOKIE);
    if (used || !donor || known?.holder !== sessionId(donor)) return used;
    const nobodys = { access_code_id, user_id: null };
    return visitor
      ? accessCodeUses.findOneAndUpdate(nobodys, { $set: { user_id: visitor.user._id } })
      : accessCodeUses.findOne(nobodys, newest);
  }

  /** Replaces a grant that its browser never got. */
  async function grantAgain(use: AccessCodeUseRow, expires_at: Date, ctx: Context): Promise<void> {
    const token = newGrantToken();
    await accessGrants.deleteMany({ use_id: use._id, user_id: null });
    const { access_code_id } = use;
    await grantToVisitor(services, token, { use_id: use._id, access_code_id, expires_at });
    setCookie(ctx, ACCESS_COOKIE, token, ACCESS_SECONDS);
  }

  /** A code that was taken back while it was used gives nothing. */
  async function refuseRevoked(codeId: string): Promise<void> {
    if (!(await isRevoked(services, codeId))) return;
    await takeBackUses(services, codeId);
    throw wrongCode();
  }
}
