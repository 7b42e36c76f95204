import * as A from '@automerge/automerge/slim';
import { reactionKey, type Segment } from '#shared/chat/document.ts';
import type { UnsentContent } from './segment-intents.ts';

/** Knows which own messages and reactions of a segment are on the server's disk. */
export class Unsent {
  readonly #sent = new Set<string>();
  /** Keys of the friend's messages to which the user's reaction is only on this device. */
  reactions: string[] = [];
  #looked: { doc: A.Doc<unknown>; confirmed: A.Heads } | null = null;

  /**
   * Updates from the heads that the server confirmed.
   * @param keys of all messages in the segment
   * @param confirmed the heads that the server last confirmed; null before the first
   */
  look(doc: A.Doc<unknown>, confirmed: A.Heads | null, keys: Iterable<string>): void {
    if (!confirmed || !A.hasHeads(doc, confirmed)) return;
    if (this.#looked?.doc === doc && this.#looked.confirmed === confirmed) return;
    this.#looked = { doc, confirmed };
    const added = new Set<string>();
    const reacted = new Set<string>();
    for (const { path } of A.diff(doc, confirmed, A.getHeads(doc))) {
      if (path[0] === 'messages' && typeof path[1] === 'string') added.add(path[1]);
      const key = reactionKey(String(path[0]));
      if (key !== null) reacted.add(key);
    }
    this.reactions = [...reacted];
    for (const key of keys) if (!added.has(key)) this.#sent.add(key);
  }

  /** Whether the server has confirmed enough to know. */
  get isKnown(): boolean {
    return this.#looked !== null;
  }

  has(key: string): boolean {
    return !this.#sent.has(key);
  }

  /** Notes that the server does not have messages any more. */
  forget(keys: Iterable<string>): void {
    for (const key of keys) this.#sent.delete(key);
    this.#looked = null;
  }

  /** Adds what is known of a replaced segment: its replacement has what the server confirmed. */
  addSent(other: Unsent): void {
    for (const key of other.#sent) this.#sent.add(key);
  }
}

/**
 * Returns what of an own segment the server has not confirmed.
 * @param confirmed the heads that the server last confirmed; those that are not here are left out
 */
export function unsentContentOf(
  doc: A.Doc<unknown>,
  { messages, reactions }: Segment,
  confirmed: A.Heads,
): UnsentContent {
  const unsent = new Unsent();
  unsent.look(
    doc,
    confirmed.filter((head) => A.hasHeads(doc, [head])),
    messages.map(({ key }) => key),
  );
  const left = messages.filter(({ key }) => unsent.has(key));
  return {
    messages: left,
    reactions: Object.fromEntries(unsent.reactions.map((key) => [key, reactions[key] ?? null])),
  };
}
