import { advertisements } from './collections.ts';
import { uploadAdImage } from '#shared/ads/admin-contract.ts';
import { publicOwner } from '../files/public-owner.ts';
import { serve } from '../http/mount-endpoint.ts';
import type { Api, Services } from '../services.ts';

/** The owner of images that admins upload. */
const OWNER = publicOwner('house-ads');

const addressIn = ({ env }: Pick<Services, 'env'>, key: string) =>
  `${env.PUBLIC_ORIGIN}/api/public-files/${key}`;

/** Returns the key of an image that an admin uploaded; null for any other address. */
export async function uploadedImageKey(
  services: Pick<Services, 'env' | 'images'>,
  address: string,
): Promise<string | null> {
  const key = address.slice(addressIn(services, '').length);
  const isOurs = address === addressIn(services, key);
  return isOurs && (await services.images.isOwned(key, OWNER)) ? key : null;
}

/** Images of house ads, and of paid ads that admins correct. */
export function mountAdImages(api: Api): void {
  const { services } = api;
  const { images, db } = services;
  const addressOf = (key: string) => addressIn(services, key);

  images.spare(async (files) => {
    const addresses = new Map(files.map(({ key }) => [addressOf(key), key]));
    const used = await advertisements(db).distinct('image_url', {
      image_url: { $in: [...addresses.keys()] },
    });
    return used.map((address) => (address === null ? null : (addresses.get(address) ?? null)));
  });

  serve(api, uploadAdImage, async ({ file, caller }) => {
    const act = { caller, subject_id: 'image', before: null, after: { bytes: file.bytes } };
    const key = await services.audit({ ...act, act: 'advertisement.upload-image' }, () =>
      images.put(file.path, OWNER),
    );
    return { image_url: addressOf(key) };
  });
}
