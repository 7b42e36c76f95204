import { VISIBLE_MS } from '#shared/ads/rules.ts';
import { DAY_MS } from '#shared/time.ts';
import { constantTimeEquals, sign } from '../../platform/hmac.ts';
import { randomToken } from '../../platform/random-token.ts';
import type { AdId } from './collections.ts';

/** How long a page may stay open. */
const VALID_MS = DAY_MS;

/**
 * Signed ids of views: an ad gets one each time it is served, so that views of ads that were not served, or that were
 * served a moment ago, are detected.
 * @param secrets at least one; the first signs
 */
export function views(secrets: readonly string[]) {
  const [newest = Buffer.alloc(0), ...older] = secrets.map((secret) =>
    Buffer.from(sign(secret, 'ad views'), 'base64url'),
  );
  const signView = (key: Buffer, adId: AdId, head: string) =>
    sign(key, JSON.stringify([adId, head])).slice(0, 22);

  /** Whether the id has a valid signature for this ad. Ids with extra parts are invalid. */
  function isOurs(viewId: string, adId: AdId): boolean {
    const [nonce = '', time = '', ...rest] = viewId.split('.');
    return [newest, ...older].some((key) =>
      constantTimeEquals(rest.join('.'), signView(key, adId, `${nonce}.${time}`)),
    );
  }

  return {
    /** A new id for an ad that is served now. */
    idFor(adId: AdId, now: Date): string {
      const head = `${randomToken(12)}.${now.getTime().toString(36)}`;
      return `${head}.${signView(newest, adId, head)}`;
    },
    isOurs,
    /** Whether the id was served with this ad, at least a second and at most a day ago. */
    isGood(viewId: string, adId: AdId, now: Date): boolean {
      if (!isOurs(viewId, adId)) return false;
      const [, time = ''] = viewId.split('.');
      const age = now.getTime() - parseInt(time, 36);
      return age >= VISIBLE_MS && age < VALID_MS;
    },
  };
}
