import { nextSeq, seqAfter } from '#shared/chat/rules.ts';
import { newId } from '#shared/ids.ts';

/**
 * Numbers the messages that one start of the app writes. A number is never given twice, also after its message was removed:
 * receipts name the device and the number, so they would cover the next message, too.
 */
export class Numbering {
  /** Id of this start of the app in messages. */
  readonly device = newId().slice(0, 8);
  /** The last number, by thread. */
  readonly #last = new Map<string, number>();

  /** Returns the number of the next message of a thread. @param segments those that are here */
  next(threadId: string, segments: Parameters<typeof nextSeq>[0]): number {
    const next = Math.max(nextSeq(segments), seqAfter(this.#last.get(threadId) ?? 0));
    this.#last.set(threadId, next);
    return next;
  }
}
