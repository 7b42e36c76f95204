import { getFile } from '#shared/files/contract.ts';
import { Refusal } from '../refusal.ts';
import { serveStream } from '../serve.ts';
import type { Api } from '../services.ts';
import { heldFiles } from './held.ts';
import { fileStore } from './store.ts';

/** Files by their unguessable keys. What a key names never changes. */
export function mountFiles(api: Api): void {
  const store = fileStore(api.services.database);
  api.services.holdings.add(heldFiles(store));

  serveStream(api, getFile, async ({ params: { key }, ctx }) => {
    const file = await store.find(key);
    if (!file) throw new Refusal(404, 'File not found');
    ctx.set('cache-control', 'private, max-age=31536000, immutable');
    ctx.etag = key;
    ctx.status = 200;
    if (ctx.fresh) {
      ctx.status = 304;
      return;
    }
    ctx.type = file.type;
    ctx.length = file.bytes;
    ctx.body = file.open();
  });
}
