import { getFile, getPublicFile } from '#shared/files/contract.ts';
import { Refusal } from '../refusal.ts';
import { serveStream } from '../serve.ts';
import type { Api } from '../services.ts';
import { heldFiles } from './held.ts';
import { sendFile } from './send.ts';
import { isPublicOwner } from './public-owner.ts';
import { fileStore } from './store.ts';

/** Pictures, by their unguessable keys. */
export function mountFiles(api: Api): void {
  const store = fileStore(api.services.database, 'images');
  api.services.holdings.add(heldFiles('images', store));

  serveStream(api, getFile, async ({ params: { key }, ctx }) => {
    const file = await store.find(key);
    if (!file) throw new Refusal(404, 'File not found');
    sendFile(ctx, key, file);
  });

  serveStream(api, getPublicFile, async ({ params: { key }, ctx }) => {
    const file = await store.find(key);
    if (!file || !isPublicOwner(file.ownerUserId)) throw new Refusal(404, 'File not found');
    sendFile(ctx, key, file);
  });
}
