import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { GridFSBucket, type GridFSFile, type Db } from 'mongodb';
import type { Indexes } from '../database.ts';

export interface StoredFile {
  ownerUserId: string;
  type: string;
  bytes: number;
  open(): Readable;
}

export interface OwnedFile {
  key: string;
  owner_user_id: string;
}

/** A file store in GridFS, so that database backups include it. */
export interface FileStore {
  put(key: string, ownerUserId: string, type: string, bytes: Uint8Array): Promise<void>;
  find(key: string): Promise<StoredFile | null>;
  /** Does nothing if the file doesn’t exist or has another owner. */
  remove(key: string, ownerUserId: string): Promise<void>;
  listOf(ownerUserId: string): AsyncIterable<StoredFile & { key: string }>;
  /** Lists some of the files that were stored before a time and are due for a check of their use. */
  listDue(time: Date, limit: number): Promise<OwnedFile[]>;
  /** Makes files due again at a time. */
  checkAgain(keys: string[], at: Date): Promise<void>;
}

interface Metadata {
  owner_user_id: string;
  type: string;
  /** When it is due for its next check; absent before the first. */
  check_at?: Date;
}

/** @param bucketName the kind of files */
export function fileStore(db: Db, bucketName: 'images' | 'sounds'): FileStore {
  const bucket = new GridFSBucket(db, { bucketName });
  const stored = (file: GridFSFile): StoredFile => ({
    ownerUserId: metadataOf(file).owner_user_id,
    type: metadataOf(file).type,
    bytes: file.length,
    open: () => bucket.openDownloadStream(file._id),
  });
  const metadataOf = (file: { metadata?: unknown }) => file.metadata as Metadata;
  return {
    async put(key, owner_user_id, type, bytes) {
      const metadata: Metadata = { owner_user_id, type };
      await pipeline(Readable.from([bytes]), bucket.openUploadStream(key, { metadata }));
    },
    async find(key) {
      const file = await bucket.find({ filename: key }).next();
      return file && stored(file);
    },
    async remove(key, owner_user_id) {
      const files = bucket.find({ filename: key, 'metadata.owner_user_id': owner_user_id });
      for await (const { _id } of files) {
        // Deletes the chunks first: the driver deletes the file entry first.
        await db.collection(`${bucketName}.chunks`).deleteMany({ files_id: _id });
        await bucket.delete(_id);
      }
    },
    async *listOf(owner_user_id) {
      for await (const file of bucket.find({ 'metadata.owner_user_id': owner_user_id }))
        yield { key: file.filename, ...stored(file) };
    },
    async listDue(time, limit) {
      const unchecked = { 'metadata.check_at': null, uploadDate: { $lt: time } };
      const again = { 'metadata.check_at': { $lte: new Date() } };
      const due = await bucket.find({ $or: [unchecked, again] }, { limit }).toArray();
      return due.map((file) => ({
        key: file.filename,
        owner_user_id: metadataOf(file).owner_user_id,
      }));
    },
    async checkAgain(keys, at) {
      await db
        .collection(`${bucketName}.files`)
        .updateMany({ filename: { $in: keys } }, { $set: { 'metadata.check_at': at } });
    },
  };
}

export const fileIndexes: Indexes = {
  // For files by owner, and for files that are due for a check.
  'images.files': [
    { key: { 'metadata.owner_user_id': 1 } },
    { key: { 'metadata.check_at': 1, uploadDate: 1 } },
  ],
  'sounds.files': [{ key: { 'metadata.owner_user_id': 1 } }],
};
