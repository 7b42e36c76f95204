import { z } from 'zod';
import { backoffMs } from '#shared/backoff.ts';
import { readRefusalReason, type RefusalReason } from '#shared/sync/refusals.ts';
import { HOUR_MS, MINUTE_MS } from '#shared/time.ts';
import { readCache, writeCache } from '../../local-cache.ts';

/** How soon refused changes are sent again: the cause may be gone, but each attempt uploads them. */
export const OFFER_AGAIN_MS = { first: MINUTE_MS, longest: HOUR_MS };

const NAME = 'refused-documents';
const entry = z.object({
  reason: z.unknown().transform(readRefusalReason),
  /** Refusals in a row. */
  times: z.number(),
  /** No changes are sent before then, by the clock of this device. */
  until: z.number(),
});
type Entry = z.infer<typeof entry>;

/**
 * The documents whose changes the sync server refused. The changes stay in the documents on this device; they are sent again over
 * each connection once a growing pause has passed. Other documents are not affected.
 */
export class RefusedDocuments {
  readonly #userId: string;
  readonly #onDue: () => void;
  readonly #entries: Map<string, Entry>;
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** @param onDue called when changes that were refused may be sent again */
  constructor(userId: string, onDue: () => void) {
    this.#userId = userId;
    this.#onDue = onDue;
    this.#entries = new Map(
      Object.entries(readCache(z.record(z.string(), entry), userId, NAME) ?? {}),
    );
    this.#wait();
  }

  /** Notes that the server refused changes of a document. */
  add(documentId: string, reason: RefusalReason): void {
    const before = this.#entries.get(documentId);
    // What was sent before the refusal arrived is refused as well.
    const isRepeated = before !== undefined && this.isHeld(documentId);
    if (isRepeated && before.reason === reason) return;
    const times = isRepeated ? before.times : (before?.times ?? 0) + 1;
    const until = Date.now() + Math.ceil(backoffMs(OFFER_AGAIN_MS, times - 1));
    this.#entries.set(documentId, { reason, times, until });
    this.#changed();
  }

  /** Notes that the server has all changes of a document, or that it was removed from this device. */
  forget(documentId: string): void {
    if (this.#entries.delete(documentId)) this.#changed();
  }

  /** Returns why the changes of a document were last refused; null if they were not. */
  reasonOf(documentId: string): RefusalReason | null {
    return this.#entries.get(documentId)?.reason ?? null;
  }

  /** Whether changes of a document are not sent now. */
  isHeld(documentId: string): boolean {
    const { until = 0, reason } = this.#entries.get(documentId) ?? {};
    // A device sends no changes of what it may only read, and is disconnected when that changes.
    return reason !== 'not_yours' && leftMs(until) > 0;
  }

  close(): void {
    clearTimeout(this.#timer);
  }

  #changed(): void {
    writeCache(
      this.#userId,
      NAME,
      this.#entries.size > 0 ? Object.fromEntries(this.#entries) : null,
    );
    this.#wait();
  }

  #wait(): void {
    clearTimeout(this.#timer);
    const waits = [...this.#entries.keys()]
      .filter((id) => this.isHeld(id))
      .map((id) => leftMs(this.#entries.get(id)!.until));
    if (waits.length === 0) return;
    this.#timer = setTimeout(
      () => {
        this.#onDue();
        this.#wait();
      },
      Math.min(...waits),
    );
  }
}

/** A clock that was set back must not hold changes for long. */
function leftMs(until: number): number {
  const left = until - Date.now();
  return left > OFFER_AGAIN_MS.longest ? 0 : left;
}
