import type { DocumentKind } from '#shared/document-kinds.ts';
import type { CardDogs } from '#shared/dogs/document.ts';

/**
 * Changes a document into its current shape. The sync server applies it whenever a document needs it, because devices with an older
 * version of the app go on writing the older shape. Readers accept both. Decision 352 says what it may do.
 */
export interface DocumentMigration {
  name: string;
  /** The only field at the top of the document that it reads and changes. */
  field: string;
  /** @param value the plain value of the document with this field, which a modified app may have written */
  isNeeded(value: unknown): boolean;
  /** Changes only what is in the older shape, so that it does not win over changes that devices make meanwhile. */
  apply(document: unknown): void;
}

interface OldDog {
  sound_type: unknown;
  notes?: unknown;
}

type Entries = Partial<Record<string, Partial<OldDog> | null>>;

function dogsWithoutNotes(card: unknown): OldDog[] {
  const dogs: unknown = (card as Partial<CardDogs> | null)?.dogs;
  if (typeof dogs !== 'object' || dogs === null) return [];
  // A modified app may have written lists, dates or bytes, which have no fields.
  return Object.values(dogs as Entries).filter(
    (dog): dog is OldDog => dog?.sound_type !== undefined && dog.notes === undefined,
  );
}

/**
 * Dogs from before there were notes. Each device would create the list for its first note, and of two devices that are offline, one
 * would lose its note.
 */
const dogNotes: DocumentMigration = {
  name: 'dog notes',
  field: 'dogs',
  isNeeded: (card) => dogsWithoutNotes(card).length > 0,
  apply(card) {
    for (const dog of dogsWithoutNotes(card)) dog.notes = {};
  },
};

export const DOCUMENT_MIGRATIONS: Partial<Record<DocumentKind, readonly DocumentMigration[]>> = {
  card: [dogNotes],
};
