import { HttpError, notFound } from '#shared/http/http-error.ts';
import {
  getProfile,
  saveProfile,
  uploadProfileImage,
  type Profile,
} from '#shared/profile/contract.ts';
import { readCard, type Card } from '#shared/profile/document.ts';
import { RESERVED_NAME } from '#shared/profile/reserved-names.ts';
import type { CardRow, UserRow } from '#shared/server/collections.ts';
import { serve } from '../../platform/http/mount-endpoint.ts';
import type { Api } from '../../platform/services.ts';
import { changeOwn } from '../../platform/user-documents.ts';
import { refuseContent, isRefusedAsReserved } from '../content-rules/refuse-content.ts';
import { cards } from './collections.ts';
import { profileId } from './profile-id.ts';

const present = (
  user: UserRow,
  card: Omit<Card, 'dogs'> & Pick<CardRow, 'is_location_sharing_enabled'>,
): Profile => ({ ...card, id: profileId(user), user_id: user._id });

/**
 * The profile, which is stored in the owner’s card, and the sharing switch, which is stored in their account.
 */
export function mountProfile(api: Api): void {
  const { services } = api;
  const { images } = services;
  // Devices also remove the photo, in the document: the file is deleted later.
  images.spare(async (files) => {
    const owners = [...new Set(files.map((file) => file.owner_user_id))];
    const rows = await cards(services.db)
      .find({ _id: { $in: owners } }, { projection: { image_key: 1 } })
      .toArray();
    return rows.map(({ image_key }) => image_key ?? null);
  });

  serve(api, getProfile, async ({ caller: { user } }) => {
    const card = await cards(services.db).findOne({ _id: user._id });
    if (!card?.display_name) throw notFound('Profile');
    return present(user, card);
  });

  serve(api, saveProfile, async ({ body, caller: { user } }) => {
    const { display_name, is_location_sharing_enabled, about } = body;
    const before = await cards(services.db).findOne({ _id: user._id });
    if (await isRefusedAsReserved(services, user._id, display_name, before?.display_name))
      throw new HttpError(400, RESERVED_NAME, { fields: { display_name: RESERVED_NAME } });
    // Checked only when changed: a text from before a rule stays.
    if (before?.display_name !== display_name)
      await refuseContent(services, {
        user_id: user._id,
        content_type: 'display_name',
        content_id: null,
        fields: { display_name },
      });
    if (about && before?.about !== about)
      await refuseContent(services, {
        user_id: user._id,
        content_type: 'about',
        content_id: null,
        fields: { about },
      });
    const saveSharing = () =>
      changeOwn(services, user, { kind: 'account', name: 'sharing.save', input: body });
    // Ordered so that a partial failure never leaves sharing on, or turned on without a name.
    if (!is_location_sharing_enabled) await saveSharing();
    let card = readCard(
      await changeOwn(services, user, { kind: 'card', name: 'profile.save', input: body }),
    );
    if (about !== undefined)
      card = readCard(
        await changeOwn(services, user, { kind: 'card', name: 'profile.about', input: { about } }),
      );
    if (is_location_sharing_enabled) await saveSharing();
    return present(user, { ...card, is_location_sharing_enabled });
  });

  serve(api, uploadProfileImage, async ({ caller: { user }, file }) => {
    const before = await cards(services.db).findOne({ _id: user._id });
    const image_key = await images.put(file.path, user._id);
    await changeOwn(services, user, { kind: 'card', name: 'profile.image', input: { image_key } });
    if (before?.image_key) await images.remove(before.image_key, user._id);
    return { image_key };
  });
}
