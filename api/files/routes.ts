import { getFile, getPublicFile } from '#shared/files/contract.ts';
import { pairId } from '../friends/pair.ts';
import { Refusal } from '../refusal.ts';
import { serveStream } from '../serve.ts';
import type { Api } from '../services.ts';
import { heldFiles } from './held.ts';
import { sendFile } from './send.ts';
import { isPublicOwner } from './public-owner.ts';
import { fileStore } from './store.ts';

/** Pictures, by their unguessable keys. */
export function mountFiles(api: Api): void {
  const { database } = api.services;
  const { pairs } = database;
  const store = fileStore(database, 'images');
  api.services.holdings.add(heldFiles('images', store));

  /** A key that one learned as a friend opens nothing after a block. */
  const isBlocked = async (one: string, other: string) =>
    Boolean(await pairs.findOne({ _id: pairId(one, other), standing: 'blocked' }));

  serveStream(api, getFile, async ({ params: { key }, caller: { user }, ctx }) => {
    const file = await store.find(key);
    if (!file || (await isBlocked(user._id, file.ownerUserId)))
      throw new Refusal(404, 'File not found');
    sendFile(ctx, key, file);
  });

  serveStream(api, getPublicFile, async ({ params: { key }, ctx }) => {
    const file = await store.find(key);
    if (!file || !isPublicOwner(file.ownerUserId)) throw new Refusal(404, 'File not found');
    sendFile(ctx, key, file);
  });
}
