import {
  readMessage,
  readVector,
  type SegmentMessage,
  type SegmentPlace,
} from '#shared/chat/document.ts';
import type { Vector } from '#shared/chat/rules.ts';
import type { ChangeOperation } from '#shared/sync/change-operations.ts';
import { ObjectPlaces, pathTo } from '#shared/sync/object-places.ts';
import { operationsOf } from '../protocol/sync-message.ts';
import type { CoreDocument } from './automerge-core.ts';

/** Changes of a thread segment: messages, and how far its author has read the friend's segment of the same number. */
export interface SegmentChanges {
  documentId: string;
  authorUserId: string;
  place: SegmentPlace;
  messages: SegmentMessage[];
  read: Vector;
  /** The number of the document's operations. */
  operations: number;
}

/**
 * Returns the changes of a thread segment since these heads; null if none are projected. Skips invalid messages. It takes as long as
 * the changes are large: Automerge's own comparison of two states takes minutes for a few kilobytes of nested objects.
 * @param since these heads, or what the changes touch
 */
export function collectChanges(
  core: CoreDocument,
  { id, ownerUserId }: { id: string; ownerUserId: string },
  place: SegmentPlace,
  since: readonly string[] | Touched,
): SegmentChanges | null {
  const touched = since instanceof Map ? since : touchedSince(core, since);
  const messages = new MapReader(core, 'messages');
  const removed = new MapReader(core, 'removed');
  const read = new MapReader(core, 'read');
  const found = messages
    .those(touched.get('messages'))
    .filter((key) => removed.value(key) !== true)
    .flatMap((key) => readMessage(key, messages.entry(key)) ?? []);
  const marks = readVector(
    Object.fromEntries(
      read.those(touched.get('read')).map((device) => [device, read.value(device)]),
    ),
  );
  if (found.length === 0 && Object.keys(marks).length === 0) return null;
  const { numOps: operations } = core.stats();
  return {
    documentId: id,
    authorUserId: ownerUserId,
    place,
    messages: found,
    read: marks,
    operations,
  };
}

/** Keys of a map that may have changed; null stands for all, because a manipulated client replaced the whole map. */
type Keys = Set<string | null>;

/** What changes touch, by the fields of the document. */
export type Touched = Map<string, Keys>;

/** Notes what changes touch. */
export function noteTouched(
  touched: Touched,
  changes: Iterable<readonly ChangeOperation[]>,
  places: ObjectPlaces,
): void {
  for (const operations of changes) {
    places.add(operations);
    for (const { object, key } of operations) {
      const [field, entry] = pathTo(places.of(object), key);
      if (field === null) continue;
      const keys = touched.get(field);
      if (keys) keys.add(entry);
      else touched.set(field, new Set([entry]));
    }
  }
}

function touchedSince(core: CoreDocument, since: readonly string[]): Touched {
  const touched: Touched = new Map();
  const places = new ObjectPlaces(core, () => operationsOf(core.getChanges([])));
  noteTouched(touched, operationsOf(core.getChanges(since)), places);
  return touched;
}

/** The parts of a message that are objects, with those of their fields that are read. */
const PARTS = {
  reply_to: ['number', 'is_own', 'key'],
  photo: ['width', 'height', 'image_key'],
  voice: ['seconds', 'sound_key'],
  edited: ['from', 'first'],
} as const;
const FIELDS = [
  'seq',
  'device',
  'at',
  'text',
  'place_id',
  'reply_to',
  'photo',
  'voice',
  'edited',
] as const;

/** Reads a map at the top of a document without what the schema does not have. */
class MapReader {
  readonly #core: CoreDocument;
  readonly #field: string;
  #found: string | null | undefined;

  constructor(core: CoreDocument, field: string) {
    this.#core = core;
    this.#field = field;
  }

  /** The id of the map. Most changes are of one of the maps. */
  get #map(): string | null {
    if (this.#found !== undefined) return this.#found;
    const [type, id] = this.#core.getWithType('/', this.#field) ?? [];
    return (this.#found = type === 'map' ? (id as string) : null);
  }

  those(keys: Keys = new Set()): string[] {
    if (keys.size === 0 || !this.#map) return [];
    return keys.has(null) ? this.#core.keys(this.#map) : [...keys].filter((key) => key !== null);
  }

  value(key: string): unknown {
    return this.#map && this.#read(this.#map, key, []);
  }

  /** Returns an entry that is an object; undefined if it is none. */
  entry(key: string): unknown {
    return this.#map && this.#read(this.#map, key, FIELDS);
  }

  /** @param fields the fields that are read if the value is a map */
  #read(object: string, key: string, fields: readonly string[]): unknown {
    const [type, value] = this.#core.getWithType(object, key) ?? [];
    if (type === 'text') return this.#core.text(value as string);
    if (type === 'list' || (type === 'map' && fields.length === 0)) return undefined;
    if (type !== 'map') return value;
    return Object.fromEntries(
      fields.map((field) => {
        const parts = field in PARTS ? PARTS[field as keyof typeof PARTS] : [];
        return [field, this.#read(value as string, field, parts)];
      }),
    );
  }
}
