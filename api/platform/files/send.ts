import type { Context } from 'koa';
import type { StoredFile } from './store.ts';

/** How long a picture that was withdrawn is still shown at most, where it was seen before. */
const SHORTLY_SECONDS = 300;

/**
 * Sends a file. The file of a key never changes.
 * @param options.isStored whether the browser’s cache may keep it
 * @param options.mayEnd whether it may be withdrawn, so that the cache asks again soon
 */
export function sendFile(
  ctx: Context,
  key: string,
  file: StoredFile,
  { isStored = true, mayEnd = false } = {},
): void {
  const kept = mayEnd ? `max-age=${SHORTLY_SECONDS}` : 'max-age=31536000, immutable';
  ctx.set('cache-control', `private, ${isStored ? kept : 'no-store'}`);
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
