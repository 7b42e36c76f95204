import { PAGE_MAX, type Paged } from '#shared/admin/paging.ts';
import type { BatchProgress } from './in-batches.ts';
import type { AdminList } from './use-admin-list.ts';

/** Maximum number of rows in a bulk action: more can't be checked before. */
export const SELECTED_MAX = 2_000;

/**
 * Fetches all rows that match the list's filters, from all pages.
 * @returns the first {@link SELECTED_MAX} of them, and whether that is all
 * @throws if a call fails or the signal is aborted
 */
export async function allThatMatch<Row, Answer extends Paged>(
  list: Pick<AdminList<Answer>, 'fetchPage'>,
  rowsOf: (answer: Answer) => readonly Row[],
  { signal, onProgress }: BatchProgress,
): Promise<{ rows: Row[]; isAll: boolean }> {
  const rows: Row[] = [];
  let cursor: string | undefined;
  do {
    const answer = await list.fetchPage({ cursor, limit: PAGE_MAX });
    signal.throwIfAborted();
    rows.push(...rowsOf(answer));
    onProgress(rows.length);
    cursor = answer.next_cursor ?? undefined;
  } while (cursor && rows.length < SELECTED_MAX);
  return { rows, isAll: cursor === undefined };
}
