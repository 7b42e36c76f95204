import { PAGE_MAX, type Paged } from '#shared/admin/paging.ts';
import type { AdminList } from './use-admin-list.ts';
import type { Course } from './in-batches.ts';

/** More rows than this are not taken together: nobody looks through them before the act. */
export const TOGETHER_MAX = 2_000;

/**
 * All rows of a list as it is filtered, not those of a page only.
 * @returns the first {@link TOGETHER_MAX} of them, and whether that is all
 * @throws what a call fails with, and what the signal was aborted with
 */
export async function allThatMatch<Row, Answer extends Paged>(
  list: Pick<AdminList<Answer>, 'askPage'>,
  rowsOf: (answer: Answer) => readonly Row[],
  { signal, onProgress }: Course,
): Promise<{ rows: Row[]; isAll: boolean }> {
  const rows: Row[] = [];
  let cursor: string | undefined;
  do {
    const answer = await list.askPage({ cursor, limit: PAGE_MAX });
    signal.throwIfAborted();
    rows.push(...rowsOf(answer));
    onProgress(rows.length);
    cursor = answer.next_cursor ?? undefined;
  } while (cursor && rows.length < TOGETHER_MAX);
  return { rows, isAll: cursor === undefined };
}
