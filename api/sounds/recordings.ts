import type { Db } from 'mongodb';
import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { fileTypeFromBuffer } from 'file-type';
import { SOUND_MAX_SECONDS } from '#shared/sounds/contract.ts';
import { readWav, secondsOf, writeWav } from '#shared/sounds/wav.ts';
import { atMost } from '#shared/server/at-most.ts';
import { fileStore, type FileStore } from '../files/store.ts';
import { HttpError } from '../http/http-error.ts';

/** Recordings of owners' own sounds: a file's key begins with its sound's id. */
export interface Recordings {
  store: FileStore;
  /**
   * Keeps the recording of a sound, rewritten so that there is nothing in it but the sound.
   * @param path of the file that came
   * @returns its key
   * @throws HttpError 415 when the bytes are no WAV file, whatever they claim to be, 400 when it is too long
   */
  put(path: string, ownerUserId: string, soundId: string): Promise<string>;
  /** Removes what a sound had. @returns whether there was anything */
  removeOf(ownerUserId: string, soundId: string): Promise<boolean>;
  /** The keys of all that an owner has here. */
  keysOf(ownerUserId: string): Promise<string[]>;
}

/** Each is in memory three times while it is rewritten. */
const AT_ONCE = 4;

/** The sound that a file is of. */
export const soundOfKey = (key: string): string => key.slice(0, key.indexOf('.'));

/** Kept in the files of the database; their keys begin with the sound they belong to. */
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
    const key = `${soundId}.${randomBytes(16).toString('base64url')}`;
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
