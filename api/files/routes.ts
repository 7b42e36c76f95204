import { pairs } from '../friends/collections.ts';
import { getFile, getPublicFile } from '#shared/files/contract.ts';
import type { UserRow } from '#shared/server/collections.ts';
import { pairId } from '../friends/relationship.ts';
import { notFound } from '../http/http-error.ts';
import { serveStream } from '../http/mount-endpoint.ts';
import type { Api } from '../services.ts';
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

  /** A key learned as a friend stops working after a block. Admins may view images in reports. */
  async function isBlocked({ _id, is_admin }: UserRow, owner: string): Promise<boolean> {
    if (is_admin || owner === _id || isPublicOwner(owner)) return false;
    return Boolean(await pairs(db).findOne({ _id: pairId(_id, owner), relationship: 'blocked' }));
  }

  serveStream(api, getFile, async ({ params: { key }, caller: { user }, ctx }) => {
    const file = await store.find(key);
    if (!file || isEvidenceOwner(file.ownerUserId) || (await isBlocked(user, file.ownerUserId)))
      throw notFound('File');
    sendFile(ctx, key, file);
  });

  serveStream(api, getPublicFile, async ({ params: { key }, ctx }) => {
    const file = await store.find(key);
    if (!file || !isPublicOwner(file.ownerUserId)) throw notFound('File');
    sendFile(ctx, key, file);
  });
}
