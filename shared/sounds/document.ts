import { z } from 'zod';
import { soundType, type SoundType } from '../dogs/contract.ts';
import { readText, text, type Text } from '../text.ts';
import { soundFields } from './contract.ts';
import { SOUND_NAME_MAX } from './rules.ts';

/** An owner's own sound in the account, under its type: a newer one takes the place of the older. */
export interface SoundEntry {
  id: Text;
  name: Text;
  image_key: Text | null;
  image_filename: Text | null;
}

/** The sounds in an account. */
export interface AccountSounds {
  sounds?: Partial<Record<SoundType, SoundEntry>>;
}

export interface Sound {
  id: string;
  name: string;
  sound_type: SoundType;
  image_key: string | null;
  image_filename: string | null;
}

const ID = /^[\w-]{1,64}$/;
const id = z.string().regex(ID);

/** An owner's own sounds, at most one a type; entries that are none are left out. @param doc untrusted */
export function readSounds(doc: unknown): Sound[] {
  const raw = ((doc ?? {}) as Partial<AccountSounds>).sounds ?? {};
  return soundType.options.flatMap((type) => {
    const entry: Partial<SoundEntry> | null | undefined = raw[type];
    const key = readText(entry?.id, 64);
    const name = readText(entry?.name, SOUND_NAME_MAX)?.trim();
    if (!key || !ID.test(key) || !name) return [];
    return [
      {
        id: key,
        name,
        sound_type: type,
        image_key: readText(entry?.image_key, 100),
        image_filename: readText(entry?.image_filename, 255),
      },
    ];
  });
}

/** Returns the entry of an id; null when it was removed or replaced. */
const entryOf = (account: AccountSounds, key: string): SoundEntry | null =>
  Object.values(account.sounds ?? {}).find((entry) => readText(entry.id, 64) === key) ?? null;

/** Named changes of an account's sounds. */
export const soundChanges = {
  'sound.set': {
    input: soundFields.extend({ id }),
    apply(
      account: AccountSounds,
      sound: { id: string; name: string; sound_type: SoundType; image_filename: string | null },
    ) {
      account.sounds ??= {};
      const before = account.sounds[sound.sound_type];
      if (before && readText(before.id, 64) === sound.id) return;
      account.sounds[sound.sound_type] = {
        id: text(sound.id),
        name: text(sound.name),
        image_key: null,
        image_filename: sound.image_filename === null ? null : text(sound.image_filename),
      };
    },
  },
  'sound.rename': {
    input: soundFields.pick({ name: true }).extend({ id }),
    apply(account: AccountSounds, sound: { id: string; name: string }) {
      const entry = entryOf(account, sound.id);
      if (entry && readText(entry.name, Infinity) !== sound.name) entry.name = text(sound.name);
    },
  },
  'sound.recording': {
    input: z.object({ id, image_key: z.string().max(100) }),
    apply(account: AccountSounds, sound: { id: string; image_key: string }) {
      const entry = entryOf(account, sound.id);
      if (entry) entry.image_key = text(sound.image_key);
    },
  },
  'sound.remove': {
    input: z.object({ id }),
    apply(account: AccountSounds, sound: { id: string }) {
      for (const type of soundType.options)
        if (readText(account.sounds?.[type]?.id, 64) === sound.id) delete account.sounds?.[type];
    },
  },
};
