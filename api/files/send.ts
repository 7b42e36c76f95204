import type { Context } from 'koa';
import type { StoredFile } from './store.ts';

/** Sends a file. The file of a key never changes. */
export function sendFile(ctx: Context, key: string, file: StoredFile): void {
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
}
