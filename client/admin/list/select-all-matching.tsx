import { useEffect, useRef, useState } from 'react';
import type { Paged } from '#shared/admin/paging.ts';
import { Button } from '../../ui/button.tsx';
import { allThatMatch, TOGETHER_MAX } from './fetch-all-matching.ts';
import { toastError } from '../toast-error.ts';
import type { AdminList } from './use-admin-list.ts';
import type { Selection } from './use-selection.ts';
import { numberWords, totalWords } from '../format.ts';

/** Where a whole page is ticked and there are more: ticks all that match, page after page. */
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
  const [came, setCame] = useState<number | null>(null);
  const course = useRef<AbortController | null>(null);
  useEffect(() => () => course.current?.abort(), []);

  async function take() {
    const { signal } = (course.current = new AbortController());
    setCame(0);
    try {
      const { rows, isAll } = await allThatMatch(list, rowsOf, { signal, onProgress: setCame });
      selection.take(rows, isAll);
    } catch (error) {
      if (!signal.aborted) toastError(error);
    }
    setCame(null);
  }

  if (came !== null)
    return (
      <>
        <progress
          aria-label="Selecting"
          value={came}
          max={Math.min(total_is_capped ? TOGETHER_MAX : total, TOGETHER_MAX)}
          className="h-2 min-w-24 flex-1 accent-accent"
        />
        <Button look="quiet" onClick={() => course.current?.abort()}>
          Stop
        </Button>
      </>
    );
  return (
    <Button look="quiet" onClick={() => void take()}>
      {total > TOGETHER_MAX
        ? `Select the first ${numberWords(TOGETHER_MAX)}`
        : `Select all ${totalWords(paged)}`}
    </Button>
  );
}
