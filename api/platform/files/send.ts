import type { Context } from 'koa';
import type { StoredFile } from './store.ts';

/**
 * Sends a file. The file of a key never changes.
 * @param options.isStored whether the browser’s cache may keep it
 */
export function sendFile(
  ctx: Context,
  key: string,
  file: StoredFile,
  { isStored = true } = {},
): void {
  ctx.set('cache-control', isStored ? 'private, max-age=31536000, immutable' : 'private, no-store');
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
