import { randomUUID } from 'node:crypto';
import type { Filter } from 'mongodb';
import { ACCESS_COOKIE, validateCode } from '#shared/access-gate/contract.ts';
import { readCookie, setCookie } from '../cookies.ts';
import { addressOf } from '../origin.ts';
import { Refusal } from '../refusal.ts';
import { serve } from '../serve.ts';
import type { Api } from '../services.ts';
import { accessEnd, ACCESS_SECONDS, grantOf, grantToUser, grantToVisitor } from './grants.ts';
import type { AccessCodeRow } from './rows.ts';

const usable = (code: string, now: Date): Filter<AccessCodeRow> => ({
  code,
  is_active: true,
  $or: [{ expires_at: null }, { expires_at: { $gt: now } }],
});
const unspent = { $or: [{ max_uses: null }, { $expr: { $lt: ['$current_uses', '$max_uses'] } }] };

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

  serve(api, validateCode, async ({ body, visitor, ctx }) => {
    const address = addressOf(ctx);
    await limitAddress(address);
    await limitAll('all');
    const now = new Date();
    const grant = visitor ? null : await grantOf(services, readCookie(ctx, ACCESS_COOKIE));

    // A wrong code takes the same steps as a right one, so that neither words nor time tell them apart.
    const known = await accessCodes.findOne(usable(body.code, now));
    const used = await accessCodeUses.findOne(
      visitor
        ? { access_code_id: known?._id ?? '', user_id: visitor.user._id }
        : { access_code_id: known?._id ?? '', _id: grant?.use_id ?? '' },
    );
    if (known && used) {
      const expires = grant?.expires_at ?? accessEnd();
      if (visitor) await grantToUser(services, visitor.user._id, expires);
      return { code: known.code, expires_at: expires.toISOString() };
    }
    const counted = await accessCodes.findOneAndUpdate(
      { $and: [usable(body.code, now), unspent] },
      { $inc: { current_uses: 1 } },
    );
    if (!counted) {
      await limitWrong(address);
      throw new Refusal(400, validateCode.failure, { code: 'invalid_code' });
    }

    const use_id = randomUUID();
    const access_code_id = counted._id;
    const expires_at = accessEnd();
    await accessCodeUses.insertOne({
      _id: use_id,
      access_code_id,
      user_id: visitor?.user._id ?? null,
      ip_address: address,
      used_at: now,
    });
    if (visitor) await grantToUser(services, visitor.user._id, expires_at);
    else {
      const token = await grantToVisitor(services, { use_id, access_code_id, expires_at });
      setCookie(ctx, ACCESS_COOKIE, token, ACCESS_SECONDS);
    }
    return { code: counted.code, expires_at: expires_at.toISOString() };
  });
}
