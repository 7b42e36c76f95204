import type { DocHandle } from '@automerge/automerge-repo/slim';
import { z } from 'zod';
import type { SegmentDocument, SegmentMessage } from '#shared/chat/document.ts';
import type { Reaction } from '#shared/chat/rules.ts';
import { documentKinds } from '#shared/document-kinds.ts';
import { readCache, writeCache } from '../../../platform/local-cache.ts';
import { NoRoomError } from '../../../platform/sync/bounds/no-room-error.ts';
import type { Intent, Journal } from '../../../platform/sync/journal/journal.ts';
import { carryOut } from '../../../platform/sync/journal/replay.ts';

const { 'message.add': messageAdd, 'reaction.set': reactionSet } = documentKinds.segment.changes;

/** Own changes of a segment that the server may not have. */
export interface UnsentContent {
  messages: SegmentMessage[];
  /** By the key of the friend's message; null where a reaction was removed. */
  reactions: Record<string, Reaction | null>;
}

export const NOTHING: UnsentContent = { messages: [], reactions: {} };

export const isEmpty = ({ messages, reactions }: UnsentContent): boolean =>
  messages.length === 0 && Object.keys(reactions).length === 0;

const CARRIED_OVER = 'carried-over-messages';
const contentSchema = z.object({
  messages: z.array(messageAdd.input),
  reactions: z.record(z.string(), reactionSet.input.shape.reaction),
});
/** By thread and segment number. Earlier versions of the app stored messages only. */
const carriedOver = z.record(
  z.string(),
  z.union([
    contentSchema,
    z.array(messageAdd.input).transform((messages) => ({ messages, reactions: {} })),
  ]),
);

/** Moves what apps of the last release left in localStorage into the journal. */
export async function moveCarriedOver(userId: string, journal: Journal): Promise<void> {
  const all = readCache(carriedOver, userId, CARRIED_OVER);
  if (!all) return;
  for (const [key, content] of Object.entries(all)) {
    const [threadId = '', number] = key.split(' ');
    new SegmentIntents(journal, threadId).note(Number(number), content);
  }
  if (await journal.flush()) writeCache(userId, CARRIED_OVER, null);
}

/**
 * What the user wrote in a thread and the server may not have, in the journal. It belongs to a number of the thread, whichever
 * document this has: a segment is replaced when one of its messages is removed.
 */
export class SegmentIntents {
  readonly #journal: Journal;
  readonly #threadId: string;

  constructor(journal: Journal, threadId: string) {
    this.#journal = journal;
    this.#threadId = threadId;
  }

  /** Removes those of threads that have ended, such as with former friends. @param isOver whether a thread has, by its id */
  static removeOver(journal: Journal, isOver: (threadId: string) => boolean): void {
    for (const [id, { thread }] of journal.all())
      if (thread && isOver(thread.id)) journal.remove(id);
  }

  of(number: number): UnsentContent {
    const messages: SegmentMessage[] = [];
    const reactions: UnsentContent['reactions'] = {};
    for (const [, { name, input, thread }] of this.#own())
      if (thread.number !== number) continue;
      else if (name === 'message.add') messages.push(input as SegmentMessage);
      else if (name === 'reaction.set') {
        const { key, reaction } = input as { key: string; reaction: Reaction | null };
        reactions[key] = reaction;
      }
    return { messages, reactions };
  }

  /** Numbers of the segments that have any. */
  numbers(): ReadonlySet<number> {
    return new Set(this.#own().map(([, { thread }]) => thread.number));
  }

  /** Writes what is not in the journal yet, before it is carried out. */
  note(number: number, { messages, reactions }: UnsentContent): void {
    for (const message of messages) {
      const id = this.#idOf(number, 'message', message.key);
      if (!this.#journal.get(id)) this.#write(id, number, 'message.add', message);
    }
    for (const [key, reaction] of Object.entries(reactions)) {
      const id = this.#idOf(number, 'reaction', key);
      if (!this.#journal.get(id)) this.#write(id, number, 'reaction.set', { key, reaction });
    }
  }

  /** Adds a message to a segment that is here. @throws ZodError when it does not fit; NoRoomError */
  add(number: number, handle: DocHandle<SegmentDocument>, message: SegmentMessage): void {
    const input = messageAdd.input.parse(message);
    const id = this.#idOf(number, 'message', input.key);
    const isNew = !this.#journal.get(id);
    this.note(number, { messages: [input], reactions: {} });
    this.#carryOut(id, isNew, handle, (segment) => messageAdd.apply(segment, input));
  }

  /** Sets the reaction to a message of the friend in a segment that is here. @throws NoRoomError */
  react(
    number: number,
    handle: DocHandle<SegmentDocument>,
    key: string,
    reaction: Reaction | null,
  ): void {
    const input = reactionSet.input.parse({ key, reaction });
    const id = this.#idOf(number, 'reaction', key);
    const before = this.#journal.get(id)?.input as { reaction: Reaction | null } | undefined;
    const isNew = before?.reaction !== reaction;
    if (isNew) this.#write(id, number, 'reaction.set', input);
    this.#carryOut(id, isNew, handle, (segment) => reactionSet.apply(segment, input));
  }

  /** @param isNew whether the user is making it: then it is forgotten where there is no room for it */
  #carryOut(
    id: string,
    isNew: boolean,
    handle: DocHandle<SegmentDocument>,
    change: (segment: SegmentDocument) => void,
  ): void {
    try {
      carryOut(this.#journal, id, { handle, kind: 'segment', change });
    } catch (error) {
      if (isNew) this.#journal.remove(id);
      else if (error instanceof NoRoomError) this.#journal.leaveOut(id);
      throw error;
    }
  }

  #own(): [id: string, intent: Intent & { thread: NonNullable<Intent['thread']> }][] {
    return this.#journal
      .all()
      .flatMap(([id, { thread, ...intent }]) =>
        thread?.id === this.#threadId ? [[id, { ...intent, thread }] as const] : [],
      ) as never;
  }

  #write(id: string, number: number, name: string, input: unknown): void {
    this.#journal.write(id, {
      kind: 'segment',
      name,
      input,
      thread: { id: this.#threadId, number },
    });
  }

  readonly #idOf = (number: number, what: string, key: string) =>
    `${this.#threadId} ${number} ${what} ${key}`;
}
