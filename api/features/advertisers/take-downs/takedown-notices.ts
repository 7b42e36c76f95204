import { MINUTE_MS } from '#shared/time.ts';
import type { LastNotice } from '../../ads/collections.ts';
import { isRefunded, type PaidAd } from '../ads.ts';
import type { AdvertiserEmails } from '../emails.ts';

/** An admin can undo an action this long before its email is sent. */
export const UNDO_MS = MINUTE_MS;

/** The email about an ad's last action. */
export interface Notice {
  /** Null if the advertiser knows already. */
  cause: string | null;
  due: Date;
  last: LastNotice;
}

const causeOf = ({ _id }: Pick<PaidAd, '_id'>, version: number) => `action ${version} ${_id}`;

/**
 * Plans the email about an ad's last action. Recalls unsent emails about earlier actions, so that the advertiser gets
 * none about an action that was undone at once. Returns the same for the same version of the ad.
 */
export async function planNotice(
  ad: PaidAd,
  emails: Pick<AdvertiserEmails, 'recall'>,
  now: Date,
): Promise<Notice> {
  const { unnotified_action, version = 0, last_notice: last } = ad;
  const isFinal = unnotified_action === 'refund' || isRefunded(ad);
  const after =
    unnotified_action === 'put-back'
      ? null
      : `${isFinal ? 'paid back' : 'down'}: ${ad.taken_down_reason}`;
  const isRecalled =
    last?.cause && unnotified_action !== 'refund' && (await emails.recall(last.cause, ad));
  // What the advertiser knows; undefined when that is not certain.
  let known: string | null | undefined = (isRecalled ? last?.before : last?.after) ?? null;
  // Actions since then whose emails were not sent, or are about to be.
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
