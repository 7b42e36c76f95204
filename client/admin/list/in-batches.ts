import { messageOf } from '../../http/error-message.ts';
import { PAGE_MAX, type BulkOutcome } from '#shared/admin/paging.ts';

/** How an act on many rows goes on. */
export interface Course {
  /** Aborted: what is under way is finished, and the rest left as it is. */
  signal: AbortSignal;
  /** @param count rows that are through, changed or left out */
  onProgress: (count: number) => void;
}

/**
 * Works items off, as many in a call as one takes.
 * @returns what became of each; what a later call failed with, or a stop, is told with all that it left undone
 * @throws what the first call fails with: then nothing is done
 */
export async function inBatches<Item extends { id: string }>(
  items: readonly Item[],
  change: (batch: Item[]) => Promise<BulkOutcome>,
  { signal, onProgress }: Course,
): Promise<BulkOutcome> {
  const outcome: BulkOutcome = { done: [], skipped: [] };
  for (let at = 0; at < items.length; at += PAGE_MAX) {
    const leave = (why: string) => {
      outcome.skipped.push(...items.slice(at).map(({ id }) => ({ id, why })));
      return outcome;
    };
    if (signal.aborted) return leave('Stopped before this item was processed');
    try {
      const { done, skipped } = await change(items.slice(at, at + PAGE_MAX));
      outcome.done.push(...done);
      outcome.skipped.push(...skipped);
    } catch (error) {
      if (at === 0) throw error;
      return leave(messageOf(error));
    }
    onProgress(Math.min(at + PAGE_MAX, items.length));
  }
  return outcome;
}
