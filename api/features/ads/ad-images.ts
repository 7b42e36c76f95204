import { join } from 'node:path';
import { uploadAdImage } from '#shared/ads/admin-contract.ts';
import { HttpError } from '#shared/http/http-error.ts';
import { publicOwner } from '../../platform/files/public-owner.ts';
import { serve } from '../../platform/http/mount-endpoint.ts';
import type { Api, Services } from '../../platform/services.ts';
import { advertisements } from './collections.ts';
import { fetchPicture } from './fetch-picture.ts';

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

const NO_PICTURE = 'We couldn’t get a photo from this address. Upload it instead.';

/**
 * Returns the address at which we serve a picture: one of another site is fetched once and stored, because ads show no pictures of
 * other sites.
 * @throws HttpError 400 with words for the field `image_url` if there is no usable picture
 */
export async function ownImageUrl<Address extends string | null | undefined>(
  services: Pick<Services, 'env' | 'images' | 'uploads' | 'log'>,
  address: Address,
): Promise<string | Address> {
  const { env, images, uploads, log } = services;
  if (!address || URL.parse(address)?.origin === env.PUBLIC_ORIGIN) return address;
  const directory = await uploads.spool.open();
  try {
    const path = join(directory.path, 'picture');
    await fetchPicture(address, path, env.hasSandbox);
    return addressIn(services, await images.put(path, OWNER));
  } catch (cause) {
    log.info({ err: cause }, 'could not get the picture of an ad');
    throw new HttpError(400, NO_PICTURE, { fields: { image_url: NO_PICTURE }, cause });
  } finally {
    await directory.remove();
  }
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
