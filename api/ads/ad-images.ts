import { advertisements } from './collections.ts';
import { uploadAdImage } from '#shared/ads/admin-contract.ts';
import { publicOwner } from '../files/public-owner.ts';
import { serve } from '../http/mount-endpoint.ts';
import type { Api } from '../services.ts';

/** Images of house ads. */
export function mountAdImages(api: Api): void {
  const { services } = api;
  const { env, images, db } = services;
  const addressOf = (key: string) => `${env.PUBLIC_ORIGIN}/api/public-files/${key}`;

  images.spare(async (files) => {
    const addresses = new Map(files.map(({ key }) => [addressOf(key), key]));
    const used = await advertisements(db).distinct('image_url', {
      image_url: { $in: [...addresses.keys()] },
    });
    return used.map((address) => (address === null ? null : (addresses.get(address) ?? null)));
  });

  serve(api, uploadAdImage, async ({ file, caller }) => {
    const owner = publicOwner('house-ads');
    const act = { caller, subject_id: 'image', before: null, after: { bytes: file.bytes } };
    const key = await services.audit({ ...act, act: 'advertisement.upload-image' }, () =>
      images.put(file.path, owner),
    );
    return { image_url: addressOf(key) };
  });
}
