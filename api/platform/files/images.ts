import { readFile } from 'node:fs/promises';
import { buffer } from 'node:stream/consumers';
import { fileTypeFromFile } from 'file-type';
import type { Db } from 'mongodb';
import sharp from 'sharp';
import { NOT_AN_IMAGE } from '#shared/files/contract.ts';
import { HttpError } from '#shared/http/http-error.ts';
import { atMost } from '#shared/server/at-most.ts';
import { DAY_MS } from '#shared/time.ts';
import { randomToken } from '../random-token.ts';
import { fileStore, type OwnedFile } from './store.ts';

export interface ImageFiles {
  /**
   * Stores an image, resized and without metadata.
   * @param path of the uploaded file
   * @param owner the user’s id, or for others kind and id, such as 'charity:abc'
   * @returns its unguessable key
   * @throws HttpError 415 if it isn’t a readable image, whatever its declared type
   */
  put(path: string, owner: string): Promise<string>;
  /**
   * Stores a recording as it is: containers of these kinds, made by a browser, say nothing of the place.
   * @param path of the uploaded file
   * @returns its unguessable key
   * @throws HttpError 415 if it isn’t a recording, whatever its declared type
   */
  putRecording(path: string, owner: string): Promise<string>;
  remove(key: string, owner: string): Promise<void>;
  removeAll(owner: string): Promise<void>;
  isOwned(key: string, owner: string): Promise<boolean>;
  /**
   * Copies an image for another owner.
   * @returns the copy’s key; null if `from` has no such image
   */
  copy(key: string, from: string, owner: string): Promise<string | null>;
  /**
   * Registers a feature’s used images: unused ones are deleted.
   * @param find returns the keys in use among those of `files`
   */
  spare(find: FindUsed): void;
  /** Deletes images that are a day old and unused. Each image is checked once a day. */
  runJob(): Promise<void>;
}

export type FindUsed = (files: OwnedFile[]) => Promise<Iterable<string | null>>;

const EDGE_PX = 1024;
/** Fits photos of current phones; larger ones may be decompression bombs. */
const PIXELS_MAX = 60_000_000;
/** Decoding limit: a small PNG of that size takes 200 MB and seconds of CPU time. */
const AT_ONCE = 2;
const READABLE = new Set(['image/jpeg', 'image/png', 'image/webp', 'image/gif', 'image/avif']);
/** What browsers record, by what its first bytes say: a container doesn’t tell whether it has pictures, too. */
const RECORDINGS: Record<string, { type: string; ending: string }> = {
  'video/webm': { type: 'audio/webm', ending: 'webm' },
  'video/mp4': { type: 'audio/mp4', ending: 'm4a' },
  'audio/mp4': { type: 'audio/mp4', ending: 'm4a' },
  'audio/x-m4a': { type: 'audio/mp4', ending: 'm4a' },
  'audio/ogg': { type: 'audio/ogg', ending: 'ogg' },
};
const RECORDING_KEY = new RegExp(
  `^(${Object.values(RECORDINGS)
    .map(({ ending }) => ending)
    .join('|')})-`,
);

/** Returns where an export has a file. */
export function pathOfFile(key: string): string {
  const ending = RECORDING_KEY.exec(key)?.[1];
  return ending ? `sounds/${key}.${ending}` : `images/${key}.webp`;
}

const JOB_BATCH = 500;
/** Batches per run; the next run, ten minutes later, continues. */
const BATCHES_MAX = 40;
const ORPHANED_MS = DAY_MS;

// One thread per picture, so that uploads don’t slow down other requests.
sharp.concurrency(1);
sharp.cache(false);

const notAnImage = (cause?: unknown) => new HttpError(415, NOT_AN_IMAGE, { cause });

/** Stores images in GridFS, as WebP of at most 1,024 px. */
export function createImageStore(db: Db): ImageFiles {
  const store = fileStore(db, 'images');
  const finders: FindUsed[] = [];
  const inTurn = atMost(AT_ONCE);

  async function deleteBatch(files: OwnedFile[]): Promise<void> {
    const used = new Set<string | null>();
    for (const find of finders) for (const key of await find(files)) used.add(key);
    const kept: string[] = [];
    for (const { key, owner_user_id } of files)
      if (used.has(key)) kept.push(key);
      else await store.remove(key, owner_user_id);
    await store.checkAgain(kept, new Date(Date.now() + ORPHANED_MS));
  }

  return {
    spare: (find) => void finders.push(find),
    async runJob() {
      for (let done = 0; done < BATCHES_MAX; done++) {
        const due = await store.listDue(new Date(Date.now() - ORPHANED_MS), JOB_BATCH);
        if (due.length > 0) await deleteBatch(due);
        if (due.length < JOB_BATCH) return;
      }
    },
    async put(path, owner) {
      const type = await fileTypeFromFile(path);
      if (!type || !READABLE.has(type.mime)) throw notAnImage();
      let encoded: Buffer;
      try {
        // Rotates by EXIF first; sharp drops EXIF by default.
        encoded = await inTurn(() =>
          sharp(path, { limitInputPixels: PIXELS_MAX, failOn: 'error' })
            .rotate()
            .resize({ width: EDGE_PX, height: EDGE_PX, fit: 'inside', withoutEnlargement: true })
            .webp({ quality: 82 })
            .toBuffer(),
        );
      } catch (error) {
        throw notAnImage(error);
      }
      const key = randomToken(24);
      await store.put(key, owner, 'image/webp', encoded);
      return key;
    },
    async putRecording(path, owner) {
      const found = await fileTypeFromFile(path);
      const kind = RECORDINGS[found?.mime.split(';')[0] ?? ''];
      if (!kind) throw new HttpError(415, 'This isn’t a recording');
      const { type, ending } = kind;
      const key = `${ending}-${randomToken(24)}`;
      await store.put(key, owner, type, await readFile(path));
      return key;
    },
    remove: store.remove,
    async removeAll(owner) {
      for await (const { key } of store.listOf(owner)) await store.remove(key, owner);
    },
    isOwned: async (key, owner) => (await store.find(key))?.ownerUserId === owner,
    async copy(key, from, owner) {
      const file = await store.find(key);
      if (file?.ownerUserId !== from) return null;
      const copied = randomToken(24);
      await store.put(copied, owner, file.type, await buffer(file.open()));
      return copied;
    },
  };
}
