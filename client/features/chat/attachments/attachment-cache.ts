import { z } from 'zod';
import { getFile } from '#shared/files/contract.ts';
import { pathOf } from '../../../platform/http/api-client.ts';
import { FILES_CACHE } from '../../../platform/install/service-worker-messages.ts';
import { readCache, writeCache } from '../../../platform/local-cache.ts';

const NAME = 'chat-photos';
/** Keys of photos and recordings with the URL of the segment that each is in, oldest first. */
const notes = z.array(z.tuple([z.string(), z.string()]));
/** The service worker stores no more files than this. */
const NOTED_MAX = 300;

/** Notes that this device has a photo or recording, so that it can be removed with its message. @param segment its URL */
export function noteFile(userId: string, fileKey: string, segment: string): void {
  const before = readCache(notes, userId, NAME) ?? [];
  if (before.some(([key, url]) => key === fileKey && url === segment)) return;
  const others = before.filter(([key]) => key !== fileKey);
  writeCache(userId, NAME, [...others, [fileKey, segment]].slice(-NOTED_MAX));
}

/** Returns whether this device has files of segments that belong to no thread any more. @param segments URLs of all that do */
export const hasRemovedFiles = (userId: string, segments: ReadonlySet<string>): boolean =>
  (readCache(notes, userId, NAME) ?? []).some(([, url]) => !segments.has(url));

/**
 * Removes files from this device whose segments belong to no thread any more.
 * @param segments URLs of all that do
 * @param shown keys in messages that are loaded, with their segments: a replaced segment keeps most
 */
export function forgetFiles(
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
    .catch((error: unknown) => console.warn('Failed to remove files from this device', error));
}
