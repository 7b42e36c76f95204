import { useEffect, useRef, useState } from 'react';
import type { Paged } from '#shared/admin/paging.ts';
import { Button } from '../../ui/buttons/button.tsx';
import { numberWords, totalWords } from '../format.ts';
import { toastError } from '../toast-error.ts';
import { allThatMatch, SELECTED_MAX } from './fetch-all-matching.ts';
import type { AdminList } from './use-admin-list.ts';
import type { Selection } from './use-selection.ts';

/** Selects all matching rows, page after page; shown when a whole page is selected and there are more. */
export function SelectAllMatching<Row, Answer extends Paged>({
  list,
  paged,
  rowsOf,
  selection,
}: {
  list: AdminList<Answer>;
  paged: Paged;
  rowsOf: (answer: Answer) => readonly Row[];
  selection: Selection<Row>;
}) {
  const { total, total_is_capped } = paged;
  const [count, setCount] = useState<number | null>(null);
  const abort = useRef<AbortController | null>(null);
  useEffect(() => () => abort.current?.abort(), []);

  async function selectAll() {
    const { signal } = (abort.current = new AbortController());
    setCount(0);
    try {
      const { rows, isAll } = await allThatMatch(list, rowsOf, { signal, onProgress: setCount });
      selection.take(rows, isAll);
    } catch (error) {
      if (!signal.aborted) toastError(error);
    }
    setCount(null);
  }

  if (count !== null)
    return (
      <>
        <progress
          aria-label="Selecting"
          value={count}
          max={Math.min(total_is_capped ? SELECTED_MAX : total, SELECTED_MAX)}
          className="h-2 min-w-24 flex-1 accent-accent"
        />
        <Button look="quiet" onClick={() => abort.current?.abort()}>
          Stop
        </Button>
      </>
    );
  return (
    <Button look="quiet" onClick={() => void selectAll()}>
      {total > SELECTED_MAX
        ? `Select the first ${numberWords(SELECTED_MAX)}`
        : `Select all ${totalWords(paged)}`}
    </Button>
  );
}
