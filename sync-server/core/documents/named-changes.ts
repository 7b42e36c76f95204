import * as A from '@automerge/automerge';
import type { z } from 'zod';
import type { SegmentPlace } from '#shared/chat/document.ts';
import { documentKinds, type DocumentKind } from '#shared/document-kinds.ts';
import type { FriendCardSubject } from '#shared/friends/friend-card.ts';
import { measureAndCharge } from '../measure-and-charge.ts';
import { validateChunks } from '../protocol/sync-message.ts';
import { actorOf, makeChange } from './automerge-core.ts';
import type { DocumentContent } from './document-content.ts';
import type { OpenDocument } from './open-document.ts';

/** A named change of any kind of document. */
interface NamedChange {
  input: z.ZodType;
  /** @param read returns the plain value before the change */
  apply(document: unknown, input: unknown, read?: () => unknown): void;
}

/** One attempt of a call that makes a named change. */
export interface Attempt {
  /** The Automerge actors of earlier attempts and, last, of this one; by default, a random one. */
  actors: readonly string[];
  /** Whether the caller no longer waits for the answer. */
  isAbandoned(): boolean;
}

/** Timestamps of changes would reveal to readers when the owner walks or sleeps. */
const NO_TIME = { time: 0 };

/**
 * Returns the initial state of a document, saved, with its heads.
 * @param place of a thread segment
 * @param subject of a friend card
 */
export function initialDocument(
  documentId: string,
  {
    kind,
    ownerUserId,
    createdAt,
    place,
    subject,
  }: {
    kind: DocumentKind;
    ownerUserId: string;
    createdAt: string;
    place?: SegmentPlace | undefined;
    subject?: FriendCardSubject | undefined;
  },
): { saved: Uint8Array; heads: string[] } {
  const value = documentKinds[kind].initial(ownerUserId, createdAt, place, subject);
  return documentOf(documentId, value as unknown as Record<string, unknown>);
}

/**
 * Returns a document with the values of another one and no history.
 * @param saved the other one
 */
export function rewrittenDocument(
  documentId: string,
  saved: Uint8Array,
): { saved: Uint8Array; heads: string[] } {
  const before = A.load<Record<string, unknown>>(saved);
  try {
    return documentOf(documentId, copyOf(before));
  } finally {
    A.free(before);
  }
}

/** A map with more entries is filled after the first change. */
const ENTRIES_AT_ONCE = 10;
/** A change stays below what one of a device may have. Few changes: each counts towards the end of the next epoch. */
const OPERATIONS_AT_ONCE = 900;

/** How many operations make a value. */
const operationsIn = (value: unknown): number =>
  Array.isArray(value) || isMap(value)
    ? Object.values(value).reduce<number>((sum, each) => sum + operationsIn(each), 1)
    : 1;

function inParts(map: object): Record<string, unknown>[] {
  const parts: Record<string, unknown>[] = [];
  let left = 0;
  for (const [key, value] of Object.entries(map)) {
    const count = operationsIn(value);
    if (count > left) {
      parts.push({});
      left = OPERATIONS_AT_ONCE;
    }
    parts.at(-1)![key] = value;
    left -= count;
  }
  return parts;
}

/** The same for the same values: if a backup is restored from before it was created, devices have this first change already. */
function documentOf(documentId: string, value: Record<string, unknown>) {
  const actor = actorOf(documentId, value);
  const maps = Object.entries(value).filter(
    (field): field is [string, object] =>
      isMap(field[1]) && Object.keys(field[1]).length > ENTRIES_AT_ONCE,
  );
  let document = A.change(A.init<Record<string, unknown>>({ actor }), NO_TIME, (draft) => {
    // In one object: each assignment to a draft is an operation.
    Object.assign(draft, { ...value, ...Object.fromEntries(maps.map(([name]) => [name, {}])) });
  });
  for (const [name, map] of maps)
    for (const part of inParts(map))
      document = A.change(document, NO_TIME, (draft) => {
        Object.assign(draft[name] as object, part);
      });
  const initial = { saved: A.save(document), heads: A.getHeads(document) };
  A.free(document);
  return initial;
}

/** Copies a value of a document, which another document would refuse as part of the first one. */
function copyOf<T>(value: T): T {
  if (Array.isArray(value)) return value.map(copyOf) as T;
  // Texts, times and bytes are values of their own.
  if (!isMap(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, copyOf(each)])) as T;
}

const isMap = (value: unknown): value is object =>
  typeof value === 'object' &&
  value !== null &&
  [Object.prototype, null].includes(Object.getPrototypeOf(value) as null);

/** Returns a named change of a kind of document; null if there is none. */
export function namedChange(kind: DocumentKind, name: string): NamedChange | null {
  const changes: Record<string, unknown> = documentKinds[kind].changes;
  return Object.hasOwn(changes, name) ? (changes[name] as NamedChange) : null;
}

/**
 * Applies a named change as the owner's devices do; it counts towards the document's size limits. Applies nothing if an earlier
 * attempt did.
 * @param charge called with the milliseconds that it took
 * @param read what is read of the document after the change
 * @returns that, when the change is durable
 * @throws Refusal when the document would become too large
 */
export function applyNamedChange<T = undefined>(
  document: OpenDocument,
  change: NamedChange,
  input: unknown,
  charge: (ms: number) => void,
  { actors, isAbandoned }: Attempt = { actors: [], isAbandoned: () => false },
  read?: (content: DocumentContent) => T,
): Promise<T | undefined> {
  return new Promise((resolve, reject) => {
    document.enqueue(() => {
      // The caller has repeated it elsewhere, or given up.
      if (isAbandoned()) return reject(new Error('the caller has hung up'));
      const { content } = document;
      const apply = () => {
        if (!hasChangeOf(content, actors.slice(0, -1)))
          applyChange(document, actors.at(-1), (draft, before) =>
            change.apply(draft, input, before),
          );
        return read?.(content);
      };
      try {
        const value = measureAndCharge(charge, apply);
        document.durable().then(() => resolve(value), reject);
      } catch (error) {
        document.recover(error);
        reject(error instanceof Error ? error : new Error(String(error)));
      }
    }, reject);
  });
}

/**
 * Applies a change at once: call it within a task of the document.
 * @param actor by default, a random one
 * @throws Refusal when the document would become too large
 */
export function applyChange(
  { content }: OpenDocument,
  actor: string | undefined,
  apply: (draft: unknown, read: () => unknown) => void,
): void {
  const chunk = makeChange(content.load(), actor, apply);
  if (chunk) content.apply([chunk], validateChunks([chunk]));
}

function hasChangeOf(content: DocumentContent, actors: readonly string[]): boolean {
  if (actors.length === 0) return false;
  const changes = content.load().getChanges([]);
  return changes.some((each) => actors.includes(A.decodeChange(each).actor));
}
