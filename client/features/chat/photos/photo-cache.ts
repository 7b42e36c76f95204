import { z } from 'zod';
import { getFile } from '#shared/files/contract.ts';
import { pathOf } from '../../../platform/http/api-client.ts';
import { FILES_CACHE } from '../../../platform/install/service-worker-messages.ts';
import { readCache, writeCache } from '../../../platform/local-cache.ts';

const NAME = 'chat-photos';
/** Image keys with the URL of the segment that each photo is in, oldest first. */
const notes = z.array(z.tuple([z.string(), z.string()]));
/** The service worker stores no more files than this. */
const NOTED_MAX = 300;

/** Notes that this device has a photo, so that it can be removed with its message. @param segment its URL */
export function notePhoto(userId: string, imageKey: string, segment: string): void {
  const before = readCache(notes, userId, NAME) ?? [];
  if (before.some(([key, url]) => key === imageKey && url === segment)) return;
  const others = before.filter(([key]) => key !== imageKey);
  writeCache(userId, NAME, [...others, [imageKey, segment]].slice(-NOTED_MAX));
}

/** Returns whether this device has photos of segments that belong to no thread any more. @param segments URLs of all that do */
export const hasRemovedPhotos = (userId: string, segments: ReadonlySet<string>): boolean =>
  (readCache(notes, userId, NAME) ?? []).some(([, url]) => !segments.has(url));

/**
 * Removes photos from this device whose segments belong to no thread any more.
 * @param segments URLs of all that do
 * @param shown image keys of messages that are loaded, with their segments: a replaced segment keeps most photos
 */
export function forgetPhotos(
  userId: string,
  segments: ReadonlySet<string>,
  shown: ReadonlyMap<string, string>,
): void {
  const before = readCache(notes, userId, NAME) ?? [];
  const now = before.map(([key, url]): [string, string] => [key, shown.get(key) ?? url]);
  const left = now.filter(([, url]) => segments.has(url));
  const over = now.filter(([, url]) => !segments.has(url));
  writeCache(userId, NAME, left);
  if (over.length === 0 || !('caches' in globalThis)) return;
  void caches
    .open(FILES_CACHE)
    .then((cache) => Promise.all(over.map(([key]) => cache.delete(pathOf(getFile, { key })))))
    .catch((error: unknown) => console.warn('Failed to remove photos from this device', error));
}
