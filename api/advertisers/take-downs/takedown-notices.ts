import type { LastNotice } from '../../ads/collections.ts';
import type { PaidAd } from '../ads.ts';
import { isPaidBack } from '../email-templates.ts';
import type { AdvertiserEmails } from '../emails.ts';

/** So long an admin's action may be undone without a email. */
export const UNDO_MS = 60_000;

/** What there is to write to an advertiser about an ad's last action. */
export interface Notice {
  /** Null where the advertiser knows it. */
  cause: string | null;
  due: Date;
  last: LastNotice;
}

/** Of the email about a action: the same for the same version of the ad. */
const causeOf = ({ _id }: Pick<PaidAd, '_id'>, version: number) => `action ${version} ${_id}`;

/**
 * Finds out what an advertiser knows, and keeps back the emails about the self before that have not gone out, written or not: what
 * was undone at once is not written of. The same again for the same version of the ad.
 */
export async function planNotice(
  ad: PaidAd,
  emails: Pick<AdvertiserEmails, 'recall'>,
  now: Date,
): Promise<Notice> {
  const { unnotified_action, version = 0, last_notice: last } = ad;
  const isFinal = unnotified_action === 'refund' || isPaidBack(ad);
  const after =
    unnotified_action === 'put-back'
      ? null
      : `${isFinal ? 'paid back' : 'down'}: ${ad.taken_down_reason}`;
  const isBack =
    last?.cause && unnotified_action !== 'refund' && (await emails.recall(last.cause, ad));
  // Undefined: something that nobody remembers.
  let known: string | null | undefined = (isBack ? last?.before : last?.after) ?? null;
  // What others did meanwhile, and have not told of or are about to.
  for (let overtaken = (last?.version ?? 0) + 1; overtaken < version; overtaken++)
    if (!(await emails.recall(causeOf(ad, overtaken), ad))) known = undefined;
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
