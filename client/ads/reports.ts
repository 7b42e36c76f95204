import { clickAd, clickPaidAd, seeAd, type Ad } from '#shared/ads/contract.ts';
import { call } from '../http/api.ts';

const seen = new Map<string, Promise<unknown>>();

/** What stands for an ad that was given out. */
type Shown = Pick<Ad, 'id' | 'view_id'>;

/** Tells that an ad was seen: once for each time it was given out, also when the screen was left and come back to. */
export function reportSeen({ id, view_id }: Shown): void {
  if (seen.has(view_id)) return;
  const told = call(seeAd, { body: { ad_id: id, view_id }, keepalive: true });
  seen.set(
    view_id,
    told.catch((error: unknown) => console.warn('Not counted', error)),
  );
}

/** A view that takes longer to tell must not cost the click. */
const PATIENCE_MS = 3_000;

/** Settles when the view of this ad is told, if there was one: a click had better not overtake it. */
export const untilSeen = ({ view_id }: Pick<Shown, 'view_id'>): Promise<unknown> =>
  Promise.race([seen.get(view_id), new Promise((resolve) => setTimeout(resolve, PATIENCE_MS))]);

/** The call that records a click: numbers are paid ads. */
export function clickOf({ id, title, target_url, view_id }: Ad) {
  const body = { ad_title: title, ad_url: target_url, view_id };
  return typeof id === 'number'
    ? ({ name: 'ads.clickPaid', input: { body: { ad_id: id, ...body } } } as const)
    : ({ name: 'ads.click', input: { body: { ad_id: id, ...body } } } as const);
}

/** Records a click at once, even if the page goes away meanwhile. */
export async function clickNow(ad: Ad): Promise<void> {
  const { name, input } = clickOf(ad);
  if (name === 'ads.click') await call(clickAd, { ...input, keepalive: true });
  else await call(clickPaidAd, { ...input, keepalive: true });
}
