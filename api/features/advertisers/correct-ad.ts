import { isDeepStrictEqual } from 'node:util';
import type { z } from 'zod';
import type { listingCorrections, timedAdCorrections } from '#shared/advertisers/admin-contract.ts';
import { HttpError } from '#shared/http/http-error.ts';
import { edit } from '../../platform/admin/versioned-edit.ts';
import { pictureUrl } from '../../platform/files/public-owner.ts';
import type { Services } from '../../platform/services.ts';
import type { Caller } from '../../platform/session-cache.ts';
import { uploadedImageKey } from '../ads/ad-images.ts';
import type { AdId } from '../ads/collections.ts';
import { adRows, findAd, isTimed, type PaidAd } from './ads.ts';
import { contentOf, type AdContent } from './reviews/review-state.ts';
import { adNotFound } from './serialize.ts';

type Corrections = z.output<typeof timedAdCorrections> | z.output<typeof listingCorrections>;

/**
 * The key of the image that a correction names; undefined if it isn't about the image.
 * @throws HttpError 400 for an address that no admin uploaded to
 */
async function imageKeyOf(
  services: Pick<Services, 'env' | 'images'>,
  ad: PaidAd,
  image_url: string | null | undefined,
): Promise<string | null | undefined> {
  if (image_url === undefined || image_url === null) return image_url;
  const own = pictureUrl(ad.image_key);
  if (own && [own, `${services.env.PUBLIC_ORIGIN}${own}`].includes(image_url)) return undefined;
  const key = await uploadedImageKey(services, image_url);
  if (key) return key;
  const message = 'Ads only show images stored on this site. Upload it to use it.';
  throw new HttpError(400, message, { fields: { image_url: message } });
}

/**
 * Corrects what people see of a paid ad. If that is the approved content, it stays approved. A change that waits for approval
 * keeps its texts; only the image is replaced in it, too, because advertisers can't change images.
 * @throws HttpError 400; 404; 409 `edited_meanwhile` if it has another version
 */
export async function correctPaidAd(
  services: Pick<Services, 'audit' | 'db' | 'env' | 'images'>,
  caller: Caller,
  id: AdId,
  { version, image_url, ...texts }: Corrections & { version: number },
): Promise<void> {
  const ad = await findAd(services.db, id);
  if (!ad) throw adNotFound();
  const isShownApproved = isDeepStrictEqual(ad.approved_content, contentOf(ad));
  const image_key = await imageKeyOf(services, ad, image_url);
  const withImage = (content: AdContent): AdContent =>
    image_key === undefined ? content : { ...content, image_key };
  await edit(services, adRows(services.db, id), {
    caller,
    act: `${isTimed(ad) ? 'advertiser-ad' : 'business-listing'}.update`,
    id,
    version,
    set: { ...texts, image_key },
    // The driver's types cannot express rows of either kind.
    derive: (next) =>
      ({
        ...(next.approved_content && {
          approved_content: withImage(isShownApproved ? contentOf(next) : next.approved_content),
        }),
        ...(next.proposed_content && { proposed_content: withImage(next.proposed_content) }),
      }) as Partial<PaidAd>,
    missing: adNotFound().message,
  });
}
