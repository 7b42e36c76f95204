import * as A from '@automerge/automerge';
import type { z } from 'zod';
import type { PartPlace } from '#shared/chat/document.ts';
import type { FriendCardSubject } from '#shared/friends/friend-card.ts';
import { documentKinds, type DocumentKind } from '#shared/document-kinds.ts';
import { paying } from './budget.ts';
import { guardChunks } from './chunk-guard.ts';
import type { OpenDocument } from './open-document.ts';

/** A named change as this server sees it, whatever kind of document it belongs to. */
interface NamedChange {
  input: z.ZodType;
  apply(document: unknown, input: unknown): void;
}

/** Changes do not say when they were made: it would tell readers when somebody walks, or sleeps. */
const NO_TIME = { time: 0 };

/**
 * The first value of a document, saved, with its heads.
 * @param place of a part of a thread
 * @param subject of a friend card
 */
export function initialDocument(
  kind: DocumentKind,
  ownerUserId: string,
  createdAt: string,
  place?: PartPlace,
  subject?: FriendCardSubject,
): { saved: Uint8Array; heads: string[] } {
  const value = documentKinds[kind].initial(ownerUserId, createdAt, place, subject);
  const document = A.change(A.init<Record<string, unknown>>(), NO_TIME, (draft) => {
    Object.assign(draft, value);
  });
  const made = { saved: A.save(document), heads: A.getHeads(document) };
  A.free(document);
  return made;
}

/** A named change of a kind of document; null when there is none. */
export function namedChange(kind: DocumentKind, name: string): NamedChange | null {
  const changes: Record<string, unknown> = documentKinds[kind].changes;
  return Object.hasOwn(changes, name) ? (changes[name] as NamedChange) : null;
}

/**
 * Applies a named change, as the owner's devices do it; it counts toward the document's limits as theirs do.
 * @param pay told how many milliseconds it took
 * @returns the document's value, when the change is durable
 * @throws ChunkError when the document would become too large
 */
export function applyNamedChange(
  document: OpenDocument,
  change: NamedChange,
  input: unknown,
  pay: (ms: number) => void,
): Promise<unknown> {
  return new Promise((resolve, reject) => {
    document.enqueue(() => {
      const { content } = document;
      const apply = () => {
        const before = A.load(content.save());
        const after = A.change(before, NO_TIME, (draft) => change.apply(draft, input));
        const made = after === before ? undefined : A.getLastLocalChange(after);
        if (made) content.apply([made], guardChunks([made]));
        const value = content.value();
        A.free(after);
        return value;
      };
      try {
        const value = paying(pay, apply);
        document.durable().then(() => resolve(value), reject);
      } catch (error) {
        reject(error instanceof Error ? error : new Error(String(error)));
      }
    }, reject);
  });
}
