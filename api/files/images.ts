import type { Db } from 'mongodb';
import { atMost } from '#shared/server/at-most.ts';
import { NOT_AN_IMAGE } from '#shared/files/contract.ts';
import { randomBytes } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { fileTypeFromFile } from 'file-type';
import sharp from 'sharp';
import { HttpError } from '../http/http-error.ts';
import { fileStore, type OwnedFile } from './store.ts';

export interface ImageFiles {
  /**
   * Keeps an image, made small and without metadata.
   * @param path of the file that came
   * @param owner the user's id; of what belongs to nobody who signs in, its kind and id, such as 'charity:abc'
   * @returns its key, which nobody can guess
   * @throws HttpError 415 when the bytes are no image that we can read, whatever they claim to be
   */
  put(path: string, owner: string): Promise<string>;
  remove(key: string, owner: string): Promise<void>;
  /** Copies an image for another owner. @returns the copy's key; null where there is no such image of `from` */
  copy(key: string, from: string, owner: string): Promise<string | null>;
  /**
   * Each feature with images says here, when it is mounted, which of some it uses: the sweep takes away what nobody
   * says. @param find the keys in use among those of `files`
   */
  spare(find: FindUsed): void;
  /** Takes away what is a day old and in use nowhere. */
  sweep(): Promise<void>;
}

export type FindUsed = (files: OwnedFile[]) => Promise<Iterable<string | null>>;

const EDGE_PX = 1024;
/** A photograph of today's phones fits; what a small file unpacks to beyond that is a bomb. */
const PIXELS_MAX = 60_000_000;
/** As a small PNG of that size takes 200 MB and seconds of a processor while it is unpacked, no more of them are at a time. */
const AT_ONCE = 2;
const READABLE = new Set(['image/jpeg', 'image/png', 'image/webp', 'image/gif', 'image/avif']);
const SWEEP_BATCH = 500;
const ORPHANED_MS = 24 * 60 * 60 * 1000;

// One thread for a picture: uploads must not take the processors from those who walk.
sharp.concurrency(1);
sharp.cache(false);

const notAnImage = (cause?: unknown) => new HttpError(415, NOT_AN_IMAGE, { cause });

/** Images in the files of the database, as WebP of 1,024 px at most. */
export function imageFiles(db: Db): ImageFiles {
  const store = fileStore(db, 'images');
  const finders: FindUsed[] = [];
  const inTurn = atMost(AT_ONCE);

  async function sweepBatch(files: OwnedFile[]): Promise<void> {
    const used = new Set<string | null>();
    for (const find of finders) for (const key of await find(files)) used.add(key);
    for (const { key, owner_user_id } of files)
      if (!used.has(key)) await store.remove(key, owner_user_id);
  }

  return {
    spare: (find) => void finders.push(find),
    async sweep() {
      let batch: OwnedFile[] = [];
      for await (const file of store.listBefore(new Date(Date.now() - ORPHANED_MS))) {
        batch.push(file);
        if (batch.length < SWEEP_BATCH) continue;
        await sweepBatch(batch);
        batch = [];
      }
      await sweepBatch(batch);
    },
    async put(path, owner) {
      const type = await fileTypeFromFile(path);
      if (!type || !READABLE.has(type.mime)) throw notAnImage();
      let encoded: Buffer;
      try {
        // Turned as its EXIF says; and only then is the EXIF dropped, as sharp does unless told otherwise.
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
      const key = randomBytes(24).toString('base64url');
      await store.put(key, owner, 'image/webp', encoded);
      return key;
    },
    remove: store.remove,
    async copy(key, from, owner) {
      const file = await store.find(key);
      if (file?.ownerUserId !== from) return null;
      const copied = randomBytes(24).toString('base64url');
      await store.put(copied, owner, file.type, await buffer(file.open()));
      return copied;
    },
  };
}
