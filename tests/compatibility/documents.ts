import { createHash } from 'node:crypto';
import * as A from '@automerge/automerge';
import { readSegment } from '#shared/chat/document.ts';
import { readDrafts } from '#shared/chat/drafts.ts';
import { readThreads } from '#shared/chat/threads.ts';
import { documentKinds, type DocumentKind } from '#shared/document-kinds.ts';
import { readContacts } from '#shared/friends/document.ts';
import { readCard } from '#shared/profile/document.ts';
import { readQuietPlaces, readSettings } from '#shared/settings/document.ts';
import { readSounds } from '#shared/sounds/document.ts';
import { samplesOf } from './sample.ts';
import { schemaOf } from './schemas.ts';

/** A document as a released version writes it, and how it reads it. */
export interface ReleasedDocument {
  /** A saved Automerge document, in base64. */
  saved: string;
  /** What the readers of that version return. */
  read: Record<string, unknown>;
  /** The type of each value in it, by path. */
  shape: Record<string, string>;
  /** The named changes, with valid input. */
  changes: Record<string, unknown[]>;
}

interface NamedChange {
  input: Parameters<typeof schemaOf>[0];
  apply(document: unknown, input: unknown): void;
}

/** How apps and servers read each kind. */
const READERS: Record<DocumentKind, Record<string, (document: unknown) => unknown>> = {
  card: { readCard },
  friend_card: { readCard },
  account: { readSettings, readQuietPlaces, readDrafts, readSounds },
  contacts: { readContacts, readThreads },
  segment: { readSegment },
};

const AT = '2026-11-24T12:00:00.000Z';
const PLACE = { thread_id: 'thread', number: 1, friend_user_id: 'friend', after: 0 };
const SUBJECT = { user_id: 'subject', card: { display_name: 'Sam', join_date: AT, dogs: [] } };

/** Returns what the readers of this version return. */
export const readDocument = (kind: DocumentKind, saved: string): Record<string, unknown> => {
  const value = A.toJS(A.load(Buffer.from(saved, 'base64')));
  return plain(
    Object.fromEntries(Object.entries(READERS[kind]).map(([name, read]) => [name, read(value)])),
  ) as Record<string, unknown>;
};

/** Sets and maps as arrays, for JSON. */
const plain = (value: unknown): unknown =>
  JSON.parse(
    JSON.stringify(value, (_, one: unknown) =>
      one instanceof Set || one instanceof Map ? [...(one as Iterable<unknown>)] : one,
    ),
  );

/** Writes a document with all named changes of this version, each with all samples of its input. */
export function describeDocument(kind: DocumentKind): ReleasedDocument {
  const initial = documentKinds[kind].initial as (...parts: unknown[]) => object;
  const actor = createHash('sha256').update(kind).digest('hex').slice(0, 32);
  let doc = A.change(A.init<Record<string, unknown>>({ actor }), { time: 0 }, (draft) => {
    Object.assign(draft, initial('owner', AT, PLACE, SUBJECT));
  });
  const shape: Record<string, string> = {};
  const changes: Record<string, unknown[]> = {};
  const all: Record<string, NamedChange> = documentKinds[kind].changes;
  // Removals last, so that the document has something of everything.
  const names = Object.keys(all).toSorted((a, b) => Number(isRemoval(a)) - Number(isRemoval(b)));
  addShape(doc, '', shape);
  let saved = '';
  for (const name of names) {
    const { input, apply } = all[name]!;
    if (isRemoval(name)) saved ||= toBase64(doc);
    changes[name] = samplesOf(schemaOf(input, 'input')).filter(
      (one) => input.safeParse(one).success,
    );
    for (const one of changes[name]) {
      doc = A.change(doc, { time: 0 }, (draft) => apply(draft, input.parse(one)));
      addShape(doc, '', shape);
    }
  }
  saved ||= toBase64(doc);
  return { saved, read: readDocument(kind, saved), shape, changes };
}

const isRemoval = (name: string): boolean => /remove|delete|clear/u.test(name);

const toBase64 = (doc: A.Doc<unknown>): string => Buffer.from(A.save(doc)).toString('base64');

/** Ids in samples, which are keys. */
const IDS = new Set(['a', '1', 'key', 'ann@example.com', 'https://example.com/']);

/** Adds the type of each value, by its path. A value that may have several types has them all. */
function addShape(value: unknown, path: string, shape: Record<string, string>): void {
  const type = A.isImmutableString(value) ? 'text' : value === null ? 'null' : typeof value;
  const known = new Set(shape[path]?.split(' '));
  shape[path] = [...known.add(type)].toSorted().join(' ');
  if (type === 'object')
    for (const [key, inner] of Object.entries(value as object))
      addShape(inner, `${path}/${IDS.has(key) ? '*' : key}`, shape);
}
