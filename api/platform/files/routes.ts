import { pairs } from '../../features/friends/collections.ts';
import { getFile, getPublicFile } from '#shared/files/contract.ts';
import type { UserRow } from '#shared/server/collections.ts';
import { storedCardOf, pairId } from '../../features/friends/relationship.ts';
import { notFound } from '../http/http-error.ts';
import { serveStream } from '../http/mount-endpoint.ts';
import type { Api } from '../services.ts';
import { isPhotoOwner, maySeePhoto } from '../../features/chat/photos.ts';
import { fileData } from './personal-data.ts';
import { isEvidenceOwner } from './evidence-owner.ts';
import { sendFile } from './send.ts';
import { isPublicOwner } from './public-owner.ts';
import { fileStore } from './store.ts';

/** Pictures, by their unguessable keys. */
export function mountFiles(api: Api): void {
  const { db } = api.services;
  const store = fileStore(db, 'images');
  api.services.personalData.add(fileData('images', store));

  /**
   * A key learned as a friend stops working after a block. Until the blocked user sees the end of the friendship, the
   * pictures of that time are shown. Admins may view images in reports.
   */
  async function isBlocked({ _id, is_admin }: UserRow, owner: string, key: string) {
    if (is_admin || owner === _id || isPublicOwner(owner)) return false;
    const pair = await pairs(db).findOne({ _id: pairId(_id, owner), relationship: 'blocked' });
    if (!pair) return false;
    return !storedCardOf(pair, _id)?.dogs.some(({ image_key }) => image_key === key);
  }

  serveStream(api, getFile, async ({ params: { key }, caller: { user }, ctx }) => {
    const file = await store.find(key);
    if (!file || isEvidenceOwner(file.ownerUserId)) throw notFound('File');
    const { ownerUserId: owner } = file;
    const isPhoto = isPhotoOwner(owner);
    const isRefused = isPhoto
      ? !(await maySeePhoto(db, user._id, owner, key))
      : await isBlocked(user, owner, key);
    if (isRefused) throw notFound('File');
    // Devices store photos of chats themselves, and remove them with their messages.
    sendFile(ctx, key, file, { isStored: !isPhoto });
  });

  serveStream(api, getPublicFile, async ({ params: { key }, ctx }) => {
    const file = await store.find(key);
    if (!file || !isPublicOwner(file.ownerUserId)) throw notFound('File');
    sendFile(ctx, key, file);
  });
}
