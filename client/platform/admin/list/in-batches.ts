import { PAGE_MAX, type BulkOutcome } from '#shared/admin/paging.ts';
import { messageOf } from '../../http/error-message.ts';

/** Controls a bulk action. */
export interface BatchProgress {
  /** When aborted, the current batch is finished and the rest is skipped. */
  signal: AbortSignal;
  /** @param count processed rows, changed or skipped */
  onProgress: (count: number) => void;
}

/**
 * Processes items in batches of the maximum size of a call.
 * @returns the outcome of each item; if a later call fails or the signal is aborted, the rest is skipped with that reason
 * @throws if the first call fails, so that nothing was changed
 */
export async function inBatches<Item extends { id: string }>(
  items: readonly Item[],
  change: (batch: Item[]) => Promise<BulkOutcome>,
  { signal, onProgress }: BatchProgress,
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
