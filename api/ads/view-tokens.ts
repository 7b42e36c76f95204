import { randomBytes } from 'node:crypto';
import { VISIBLE_MS } from '#shared/ads/rules.ts';
import { DAY_MS } from '#shared/time.ts';
import { constantTimeEquals, sign } from '../hmac.ts';
import type { AdId } from './collections.ts';

/** A page may stay open so long. */
const LASTS_MS = DAY_MS;

/**
 * The ids of views: each time an ad is given out it comes with one, signed, so that nobody reports a view of an ad that
 * nobody was given, nor sooner than one can have looked at it.
 * @param secrets at least one; the first signs
 */
export function views(secrets: readonly string[]) {
  const [newest = Buffer.alloc(0), ...older] = secrets.map((secret) =>
    Buffer.from(sign(secret, 'ad views'), 'base64url'),
  );
  const signView = (key: Buffer, adId: AdId, head: string) =>
    sign(key, JSON.stringify([adId, head])).slice(0, 22);

  /** Whether we made this id, for this ad. Of one with more behind it nobody can say how often it was given out. */
  function isOurs(viewId: string, adId: AdId): boolean {
    const [nonce = '', time = '', ...rest] = viewId.split('.');
    return [newest, ...older].some((key) =>
      constantTimeEquals(rest.join('.'), signView(key, adId, `${nonce}.${time}`)),
    );
  }

  return {
    /** A fresh id for an ad that is given out now. */
    idFor(adId: AdId, now: Date): string {
      const head = `${randomBytes(12).toString('base64url')}.${now.getTime().toString(36)}`;
      return `${head}.${signView(newest, adId, head)}`;
    },
    isOurs,
    /** Whether it was given out with this ad, a second ago at least and today. */
    isGood(viewId: string, adId: AdId, now: Date): boolean {
      if (!isOurs(viewId, adId)) return false;
      const [, time = ''] = viewId.split('.');
      const age = now.getTime() - parseInt(time, 36);
      return age >= VISIBLE_MS && age < LASTS_MS;
    },
  };
}
