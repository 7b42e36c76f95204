import { ACCESS_COOKIE, validateCode } from '#shared/access-gate/contract.ts';
import { sessionId } from '#shared/rows.ts';
import { readCookie, setCookie } from '../cookies.ts';
import { addressOf, networkOf } from '../origin.ts';
import { Refusal } from '../refusal.ts';
import { serve } from '../serve.ts';
import type { Api } from '../services.ts';
import {
  accessEnd,
  ACCESS_SECONDS,
  grantOf,
  grantToUser,
  grantToVisitor,
  newGrantToken,
} from './grants.ts';
import { heldAccess } from './held.ts';
import { countUse, recordUse, settleReservations, usable } from './uses.ts';

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
    const used = await accessCodeUses.findOne(
      visitor
        ? { access_code_id: known?._id ?? '', user_id: visitor.user._id }
        : { access_code_id: known?._id ?? '', _id: grant?.use_id ?? '' },
      { sort: { used_at: -1 } },
    );
    if (known && used && accessEnd(used.used_at) > now) {
      const expires = accessEnd(used.used_at);
      if (visitor) await grantToUser(services, visitor.user._id, expires);
      return { code: known.code, expires_at: expires.toISOString() };
    }
    const token = newGrantToken();
    const claimant = visitor ? visitor.user._id : sessionId(token);
    const counted = await countUse(services, body.code, claimant, now);
    if (!counted) {
      await limitWrong(network);
      throw new Refusal(400, validateCode.failure, { code: 'invalid_code' });
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
    return { code: counted.code.code, expires_at: expires_at.toISOString() };
  });
}
