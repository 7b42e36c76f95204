import * as A from '@automerge/automerge';
import type { z } from 'zod';
import type { SegmentPlace } from '#shared/chat/document.ts';
import type { FriendCardSubject } from '#shared/friends/friend-card.ts';
import { documentKinds, type DocumentKind } from '#shared/document-kinds.ts';
import { measureAndCharge } from '../connections/token-bucket.ts';
import { validateChunks } from '../protocol/sync-message.ts';
import { actorOf } from './automerge-core.ts';
import type { OpenDocument } from './open-document.ts';

/** A named change of any kind of document. */
interface NamedChange {
  input: z.ZodType;
  apply(document: unknown, input: unknown): void;
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
  kind: DocumentKind,
  ownerUserId: string,
  createdAt: string,
  place?: SegmentPlace,
  subject?: FriendCardSubject,
): { saved: Uint8Array; heads: string[] } {
  const value = documentKinds[kind].initial(ownerUserId, createdAt, place, subject);
  // The same for the same document: if a backup is restored from before it was created, devices have this first change already.
  const actor = actorOf(documentId, value);
  const document = A.change(A.init<Record<string, unknown>>({ actor }), NO_TIME, (draft) => {
    Object.assign(draft, value);
  });
  const initial = { saved: A.save(document), heads: A.getHeads(document) };
  A.free(document);
  return initial;
}

/** Returns a named change of a kind of document; null if there is none. */
export function namedChange(kind: DocumentKind, name: string): NamedChange | null {
  const changes: Record<string, unknown> = documentKinds[kind].changes;
  return Object.hasOwn(changes, name) ? (changes[name] as NamedChange) : null;
}

/**
 * Applies a named change as the owner's devices do; it counts towards the document's size limits. Applies nothing if an earlier
 * attempt did.
 * @param charge called with the milliseconds that it took
 * @returns the document's value when the change is durable
 * @throws Refusal when the document would become too large
 */
export function applyNamedChange(
  document: OpenDocument,
  change: NamedChange,
  input: unknown,
  charge: (ms: number) => void,
  { actors, isAbandoned }: Attempt = { actors: [], isAbandoned: () => false },
): Promise<unknown> {
  return new Promise((resolve, reject) => {
    document.enqueue(() => {
      // The caller has repeated it elsewhere, or given up.
      if (isAbandoned()) return reject(new Error('the caller has hung up'));
      const isDone = (before: A.Doc<unknown>) => hasChangeOf(before, actors.slice(0, -1));
      const apply = () =>
        applyChange(document, actors.at(-1), (draft) => change.apply(draft, input), isDone);
      try {
        const value = measureAndCharge(charge, apply);
        document.durable().then(() => resolve(value), reject);
      } catch (error) {
        reject(error instanceof Error ? error : new Error(String(error)));
      }
    }, reject);
  });
}

/**
 * Applies a change at once: call it within a task of the document.
 * @param actor by default, a random one
 * @returns the document's value
 * @throws Refusal when the document would become too large
 */
export function applyChange(
  { content }: OpenDocument,
  actor: string | undefined,
  apply: (draft: unknown) => void,
  isDone: (before: A.Doc<unknown>) => boolean = () => false,
): unknown {
  const before = A.load(content.save(), { actor });
  const after = isDone(before) ? before : A.change(before, NO_TIME, apply);
  const chunk = after === before ? undefined : A.getLastLocalChange(after);
  if (chunk) content.apply([chunk], validateChunks([chunk]));
  const value = content.value();
  A.free(after);
  return value;
}

function hasChangeOf(document: A.Doc<unknown>, actors: readonly string[]): boolean {
  if (actors.length === 0) return false;
  return A.getAllChanges(document).some((each) => actors.includes(A.decodeChange(each).actor));
}
