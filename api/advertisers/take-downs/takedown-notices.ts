import type { LastNotice } from '../../ads/collections.ts';
import type { PaidAd } from '../ads.ts';
import { isPaidBack } from '../email-templates.ts';
import type { AdvertiserEmails } from '../emails.ts';

/** So long an admin's deed may be undone without a letter. */
export const UNDO_MS = 60_000;

/** What there is to write to an advertiser about an ad's last deed. */
export interface Notice {
  /** Null where the advertiser knows it. */
  cause: string | null;
  due: Date;
  last: LastNotice;
}

/** Of the letter about a deed: the same for the same version of the ad. */
const causeOf = ({ _id }: Pick<PaidAd, '_id'>, version: number) => `deed ${version} ${_id}`;

/**
 * Finds out what an advertiser knows, and keeps back the letters about the deeds before that have not gone out, written or not: what
 * was undone at once is not written of. The same again for the same version of the ad.
 */
export async function planNotice(
  ad: PaidAd,
  letters: Pick<AdvertiserEmails, 'recall'>,
  now: Date,
): Promise<Notice> {
  const { untold, version = 0, last_letter: last } = ad;
  const isFinal = untold === 'refund' || isPaidBack(ad);
  const after =
    untold === 'put-back' ? null : `${isFinal ? 'paid back' : 'down'}: ${ad.taken_down_reason}`;
  const isBack = last?.cause && untold !== 'refund' && (await letters.recall(last.cause, ad));
  // Undefined: something that nobody remembers.
  let known: string | null | undefined = (isBack ? last?.before : last?.after) ?? null;
  // What others did meanwhile, and have not told of or are about to.
  for (let overtaken = (last?.version ?? 0) + 1; overtaken < version; overtaken++)
    if (!(await letters.recall(causeOf(ad, overtaken), ad))) known = undefined;
  const before = known ?? null;
  if (known === after && !isFinal)
    return { cause: null, due: now, last: { version, cause: null, before, after } };
  const cause = causeOf(ad, version);
  return {
    cause,
    due: isFinal ? now : new Date(now.getTime() + UNDO_MS),
    last: { version, cause, before, after },
  };
}
