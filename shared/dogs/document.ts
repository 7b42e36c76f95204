import { z } from 'zod';
import { plainName } from '../invisible-characters.ts';
import { readText, text, type Text } from '../text.ts';
import {
  dogCoat,
  type dogDetails,
  dogFields,
  dogId,
  dogNote,
  dogSize,
  soundType,
  type Dog,
  type DogNote,
} from './contract.ts';
import { BREED_MAX, DOG_NAME_MAX, DOGS_MAX, DOGS_READ_MAX } from './rules.ts';

/** A dog in its owner's card, under its id. */
export interface DogEntry {
  name: Text;
  sound_type: Text;
  image_key: Text | null;
  created_at: Text;
  /** Details are missing until the owner enters them, and null after they were removed. */
  breed?: Text | null;
  size?: Text | null;
  coat?: Text | null;
  birth_year?: number | null;
  /** Each note on its own, so that devices that change different notes keep both changes. */
  notes?: Partial<Record<DogNote, boolean>>;
}

/** The dogs in a card. */
export interface CardDogs {
  dogs: Record<string, DogEntry>;
}

/** Dogs in the order in which they were added; entries that are none are left out. */
export function readDogs(raw: unknown): Dog[] {
  if (typeof raw !== 'object' || raw === null) return [];
  const dogs: Dog[] = [];
  for (const [id, entry] of Object.entries(raw as Record<string, Partial<DogEntry> | null>)) {
    const name = plainName(readText(entry?.name, DOG_NAME_MAX) ?? '');
    const type = soundType.safeParse(readText(entry?.sound_type, 20));
    if (!dogId.safeParse(id).success || !name || !type.success) continue;
    dogs.push({
      id,
      name,
      sound_type: type.data,
      image_key: readText(entry?.image_key, 100),
      created_at: readText(entry?.created_at, 40) ?? '',
      ...readDetails(entry),
    });
  }
  dogs.sort((a, b) =>
    a.created_at < b.created_at ? -1 : a.created_at > b.created_at ? 1 : a.id < b.id ? -1 : 1,
  );
  return dogs.slice(0, DOGS_READ_MAX);
}

const year = z.number().int().min(1900).max(2200);

function readDetails(entry: Partial<DogEntry> | null): Required<DogDetails> {
  const notes: unknown = entry?.notes;
  const noted = (typeof notes === 'object' && notes ? notes : {}) as DogEntry['notes'] & object;
  return {
    breed: plainName(readText(entry?.breed, BREED_MAX) ?? '') || null,
    size: dogSize.safeParse(readText(entry?.size, 20)).data ?? null,
    coat: dogCoat.safeParse(readText(entry?.coat, 20)).data ?? null,
    // An age of the past stays.
    birth_year: year.safeParse(entry?.birth_year).data ?? null,
    notes: dogNote.options.filter((note) => noted[note] === true),
  };
}

type DogDetails = Partial<z.output<typeof dogDetails>>;

/** Writes those details that are given and differ: an untouched field must not win over another device's edit of it. */
export function writeDetails(entry: DogEntry, details: DogDetails): void {
  const before = readDetails(entry);
  for (const field of ['breed', 'size', 'coat'] as const) {
    const value = details[field];
    if (value !== undefined && value !== before[field])
      entry[field] = value === null ? null : text(value);
  }
  const { birth_year, notes } = details;
  if (birth_year !== undefined && birth_year !== before.birth_year) entry.birth_year = birth_year;
  if (!notes) return;
  for (const note of dogNote.options)
    if (notes.includes(note) !== before.notes.includes(note))
      (entry.notes ??= {})[note] = notes.includes(note);
}

/** Whether an entry has the details of a dog. */
export function hasDetails(entry: DogEntry, dog: DogDetails): boolean {
  const { notes, ...others } = readDetails(entry);
  return (
    (Object.keys(others) as (keyof typeof others)[]).every(
      (field) => others[field] === (dog[field] ?? null),
    ) && notes.join() === (dog.notes ?? []).join()
  );
}

const added = dogFields.extend({ id: dogId, created_at: z.iso.datetime() });
const edited = dogFields.partial().extend({ id: dogId });

/** Named changes of a card's dogs. Changes of a removed dog do nothing: a removal wins over an edit. */
export const dogChanges = {
  'dog.add': {
    input: added,
    apply(card: CardDogs, dog: z.output<typeof added>) {
      if (card.dogs[dog.id] || Object.keys(card.dogs).length >= DOGS_MAX) return;
      card.dogs[dog.id] = {
        name: text(dog.name),
        sound_type: text(dog.sound_type),
        image_key: null,
        created_at: text(dog.created_at),
        notes: {},
      };
      writeDetails(card.dogs[dog.id]!, dog);
    },
  },
  'dog.edit': {
    input: edited,
    apply(card: CardDogs, dog: z.output<typeof edited>) {
      const entry = card.dogs[dog.id];
      if (!entry) return;
      // Only what differs: an untouched field must not win over another device's edit of it.
      if (dog.name !== undefined && readText(entry.name, Infinity) !== dog.name)
        entry.name = text(dog.name);
      if (dog.sound_type !== undefined && readText(entry.sound_type, Infinity) !== dog.sound_type)
        entry.sound_type = text(dog.sound_type);
      writeDetails(entry, dog);
    },
  },
  'dog.remove': {
    input: z.object({ id: dogId }),
    apply(card: CardDogs, dog: { id: string }) {
      delete card.dogs[dog.id];
    },
  },
  'dog.image': {
    input: z.object({ id: dogId, image_key: z.string().max(100).nullable() }),
    apply(card: CardDogs, dog: { id: string; image_key: string | null }) {
      const entry = card.dogs[dog.id];
      if (entry) entry.image_key = dog.image_key === null ? null : text(dog.image_key);
    },
  },
};
