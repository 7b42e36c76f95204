import type { BulkItem, BulkOutcome } from '#shared/admin/paging.ts';
import { HttpError } from '#shared/http/http-error.ts';

/** Applies an action to each item; items that fail are skipped and reported. */
export async function doEach(
  items: readonly BulkItem[],
  run: (item: BulkItem) => Promise<unknown>,
): Promise<BulkOutcome> {
  const outcome: BulkOutcome = { done: [], skipped: [] };
  for (const item of items) {
    try {
      await run(item);
      outcome.done.push(item.id);
    } catch (error) {
      if (!(error instanceof HttpError)) throw error;
      outcome.skipped.push({ id: item.id, why: error.message });
    }
  }
  return outcome;
}
