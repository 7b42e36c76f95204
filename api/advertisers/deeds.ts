import type { LastLetter } from '../ads/rows.ts';
import type { PaidAd } from './ads.ts';
import { isPaidBack } from './letter-texts.ts';
import type { AdvertiserLetters } from './letters.ts';

/** So long an admin's deed may be undone without a letter. */
export const UNDO_MS = 60_000;

/** What there is to write to an advertiser about an ad's last deed. */
export interface Telling {
  /** Null where the advertiser knows it. */
  cause: string | null;
  due: Date;
  last: LastLetter;
}

/**
 * Finds out what an advertiser knows, and keeps back the letter about the deed before if it has not gone out: what was undone at
 * once is not written of. The same again for the same version of the ad.
 */
export async function tellingOf(
  ad: PaidAd,
  letters: Pick<AdvertiserLetters, 'recall'>,
  now: Date,
): Promise<Telling> {
  const { untold, version = 0, last_letter } = ad;
  const isFinal = untold === 'refund' || isPaidBack(ad);
  const after =
    untold === 'put-back' ? null : `${isFinal ? 'paid back' : 'down'}: ${ad.taken_down_reason}`;
  // Of a deed that nobody got to tell of it is not known what was said: better once too often.
  const last = last_letter?.version === version - 1 ? last_letter : null;
  const known = last ? last.after : untold === 'put-back' ? undefined : null;
  const isBack = last?.cause && untold !== 'refund' && (await letters.recall(last.cause));
  const before = isBack ? last.before : known;
  if (before === after && !isFinal)
    return { cause: null, due: now, last: { version, cause: null, before, after } };
  const cause = `${untold} ${version} ${ad._id}`;
  return {
    cause,
    due: isFinal ? now : new Date(now.getTime() + UNDO_MS),
    last: { version, cause, before: before ?? null, after },
  };
}
