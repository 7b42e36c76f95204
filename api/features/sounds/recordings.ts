import { readFile } from 'node:fs/promises';
import { fileTypeFromBuffer } from 'file-type';
import type { Db } from 'mongodb';
import { HttpError } from '#shared/http/http-error.ts';
import { atMost } from '#shared/server/at-most.ts';
import { SOUND_MAX_SECONDS } from '#shared/sounds/rules.ts';
import { readWav, secondsOf, writeWav } from '#shared/sounds/wav.ts';
import { fileStore, type FileStore } from '../../platform/files/store.ts';
import { randomToken } from '../../platform/random-token.ts';

/** Recordings of custom sounds; a file’s key starts with its sound’s id. */
export interface Recordings {
  store: FileStore;
  /**
   * Stores a sound’s recording, rewritten to contain only audio.
   * @param path of the uploaded file
   * @returns its key
   * @throws HttpError 415 if it isn’t a WAV file, whatever its declared type; 400 if it is too long
   */
  put(path: string, ownerUserId: string, soundId: string): Promise<string>;
  /**
   * Removes a sound’s recordings.
   * @returns whether there were any
   */
  removeOf(ownerUserId: string, soundId: string): Promise<boolean>;
  /** Returns the keys of an owner’s recordings. */
  keysOf(ownerUserId: string): Promise<string[]>;
}

/** Each takes three times its size in memory while it is rewritten. */
const AT_ONCE = 4;

/** Returns the sound id of a file. */
export const soundOfKey = (key: string): string => key.slice(0, key.indexOf('.'));

/** Stores recordings in GridFS. */
export function openRecordings(db: Db): Recordings {
  const store = fileStore(db, 'sounds');
  const inTurn = atMost(AT_ONCE);
  async function keysOf(ownerUserId: string): Promise<string[]> {
    const keys: string[] = [];
    for await (const { key } of store.listOf(ownerUserId)) keys.push(key);
    return keys;
  }
  async function put(path: string, ownerUserId: string, soundId: string): Promise<string> {
    const bytes = await readFile(path);
    const type = await fileTypeFromBuffer(bytes);
    const recording = type?.mime === 'audio/wav' ? readWav(bytes) : null;
    if (!recording) throw new HttpError(415, 'Please select an audio file');
    if (secondsOf(recording) > SOUND_MAX_SECONDS)
      throw new HttpError(400, `A sound can’t be longer than ${SOUND_MAX_SECONDS} seconds`);
    const key = `${soundId}.${randomToken(16)}`;
    await store.put(key, ownerUserId, 'audio/wav', writeWav(recording));
    return key;
  }
  return {
    store,
    put: (...given) => inTurn(() => put(...given)),
    keysOf,
    async removeOf(ownerUserId, soundId) {
      const all = await keysOf(ownerUserId);
      const keys = all.filter((key) => soundOfKey(key) === soundId);
      for (const key of keys) await store.remove(key, ownerUserId);
      return keys.length > 0;
    },
  };
}
