import { z } from 'zod';
import type { SegmentMessage } from '#shared/chat/document.ts';
import { documentKinds } from '#shared/document-kinds.ts';
import { readCache, writeCache } from '../../local-cache.ts';

const NAME = 'carried-over-messages';
/** By thread and number of the segment. */
const adopted = z.record(z.string(), z.array(documentKinds.segment.changes['message.add'].input));

/**
 * Messages of a thread that nobody else has, on their way into a segment that took another one's place. They are noted until they
 * are in it: the other segment is off this device by then, and the new one may come long after the app was closed.
 */
export class CarriedOverMessages {
  private readonly userId: string;
  private readonly threadId: string;

  constructor(userId: string, threadId: string) {
    this.userId = userId;
    this.threadId = threadId;
  }

  /** Forgets those of other threads, as of people who are no friends any more. */
  static keepOnly(userId: string, threadIds: ReadonlySet<string>): void {
    const kept = readAll(userId);
    const left = Object.entries(kept).filter(([key]) => threadIds.has(key.split(' ')[0] ?? ''));
    if (left.length < Object.keys(kept).length) writeAll(userId, Object.fromEntries(left));
  }

  of(number: number): SegmentMessage[] {
    return readAll(this.userId)[this.keyOf(number)] ?? [];
  }

  /** Of the segments that have any. */
  numbers(): ReadonlySet<number> {
    const keys = Object.keys(readAll(this.userId)).map((key) => key.split(' '));
    return new Set(keys.filter(([id]) => id === this.threadId).map(([, number]) => Number(number)));
  }

  /** @param messages none when they are where they belong */
  note(number: number, messages: SegmentMessage[]): void {
    const { [this.keyOf(number)]: _before, ...others } = readAll(this.userId);
    const own = messages.length > 0 && { [this.keyOf(number)]: messages };
    writeAll(this.userId, { ...others, ...own });
  }

  private readonly keyOf = (number: number) => `${this.threadId} ${number}`;
}

const readAll = (userId: string) => readCache(adopted, userId, NAME) ?? {};

const writeAll = (userId: string, all: z.output<typeof adopted>): void =>
  writeCache(userId, NAME, Object.keys(all).length > 0 ? all : null);
