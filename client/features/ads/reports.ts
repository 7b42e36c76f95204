import { clickAd, clickPaidAd, seeAd, type Ad } from '#shared/ads/contract.ts';
import { call } from '../../platform/http/api.ts';

const seen = new Map<string, Promise<unknown>>();

/** Identifies a shown ad. */
type Shown = Pick<Ad, 'id' | 'view_id'>;

/** Reports a view of an ad, once for each time it was served, even if the screen is revisited. */
export function reportSeen({ id, view_id }: Shown): void {
  if (seen.has(view_id)) return;
  const report = call(seeAd, { body: { ad_id: id, view_id }, keepalive: true });
  seen.set(
    view_id,
    report.catch((error: unknown) => console.warn('Not counted', error)),
  );
}

/** How long a click waits for the report of the view. */
const TIMEOUT_MS = 3_000;

/** Settles when the view of this ad is reported, so that the click doesn't arrive first. */
export const untilSeen = ({ view_id }: Pick<Shown, 'view_id'>): Promise<unknown> =>
  Promise.race([seen.get(view_id), new Promise((resolve) => setTimeout(resolve, TIMEOUT_MS))]);

/** Returns the call that records a click: ads with numeric IDs are paid. */
export function clickOf({ id, title, target_url, view_id }: Ad) {
  const body = { ad_title: title, ad_url: target_url, view_id };
  return typeof id === 'number'
    ? ({ name: 'ads.clickPaid', input: { body: { ad_id: id, ...body } } } as const)
    : ({ name: 'ads.click', input: { body: { ad_id: id, ...body } } } as const);
}

/** Records a click at once, even if the page is closed. */
export async function clickNow(ad: Ad): Promise<void> {
  const { name, input } = clickOf(ad);
  if (name === 'ads.click') await call(clickAd, { ...input, keepalive: true });
  else await call(clickPaidAd, { ...input, keepalive: true });
}
