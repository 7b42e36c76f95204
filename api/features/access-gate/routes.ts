import { ACCESS_COOKIE, validateCode } from '#shared/access-gate/contract.ts';
import { HttpError } from '#shared/http/http-error.ts';
import { DONOR_COOKIE } from '#shared/payments/contract.ts';
import { tokenHash } from '#shared/server/collections.ts';
import { DAY_MS } from '#shared/time.ts';
import { browserSecret, readCookie, setCookie } from '../../platform/http/cookies.ts';
import { failedAttempts } from '../../platform/http/failed-attempts.ts';
import { serve } from '../../platform/http/mount-endpoint.ts';
import { addressOf, networkOf } from '../../platform/http/request-origin.ts';
import { ADDRESS_DAYS, clearDue } from '../../platform/retention.ts';
import type { Api, Offers } from '../../platform/services.ts';
import { accessCodeUses, accessGrants } from './collections.ts';
import { mountAccessEmails } from './emails.ts';
import { grantOf } from './grants.ts';
import { redeemCode } from './redeem-code.ts';
import { ACCESS_SECONDS, settleReservations } from './uses.ts';

declare module '../../platform/services.ts' {
  interface Offers {
    /** What features do when a signed-in user has entered a code. */
    whenEntered: Set<(userId: string) => Promise<void>>;
  }
}

/** The gate's code entry. */
export function mountAccessGate(api: Api): void {
  const { services } = api;
  const whenEntered: Offers['whenEntered'] = new Set();
  api.offers.whenEntered = whenEntered;
  const limitAddress = services.limiter({
    name: 'gate-address',
    points: 100,
    seconds: 60,
    shared: true,
  });
  const wrong = failedAttempts(services, {
    name: 'gate-wrong',
    failures: 500,
    failuresUnderAttack: 10,
    seconds: 86_400,
    attackPerHour: 300,
  });
  services.registerJob('access grants', () =>
    accessGrants(services.db).deleteMany({ expires_at: { $lt: new Date() } }),
  );
  services.registerJob('access code addresses', () =>
    clearDue(
      accessCodeUses(services.db),
      {
        ip_address: { $gt: '' },
        used_at: { $lt: new Date(Date.now() - ADDRESS_DAYS * DAY_MS) },
      },
      { $set: { ip_address: '' } },
    ),
  );
  services.registerJob('access code reservations', () => settleReservations(services));

  mountAccessEmails(services);

  serve(api, validateCode, async ({ body, visitor, ctx }) => {
    const address = addressOf(ctx);
    const network = networkOf(address);
    await limitAddress(network);
    // After too many wrong codes every attempt is rejected.
    return wrong.attempt(network, async (fail) => {
      const grant = visitor ? null : await grantOf(services, readCookie(ctx, ACCESS_COOKIE));
      const donor = browserSecret(ctx, DONOR_COOKIE);
      const entry = await redeemCode(services, body.code, {
        userId: visitor?.user._id ?? null,
        grantedUse: grant?.use_id ?? null,
        donor: donor ? tokenHash(donor) : null,
        address,
      });
      if (!entry) {
        fail();
        throw new HttpError(400, validateCode.failure, { code: 'invalid_code' });
      }
      if (visitor) for (const run of whenEntered) await run(visitor.user._id);
      if (entry.token) setCookie(ctx, ACCESS_COOKIE, entry.token, ACCESS_SECONDS);
      return { code: entry.code, expires_at: entry.expires_at.toISOString() };
    });
  });
}
