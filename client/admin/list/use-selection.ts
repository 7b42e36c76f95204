import { useState } from 'react';
import { useTyped } from '../../session/sign-in-again.ts';

export interface Selection<Row> {
  /** Those of the page that are ticked; once all that match were taken, those of them. */
  rows: readonly Row[];
  has: (row: Row) => boolean;
  /** Whether the whole page is ticked. */
  isAll: boolean;
  /** Whether rows of other pages may be ticked too; 'first' where more match than were taken. */
  taken: 'no' | 'all' | 'first';
  toggle: (row: Row) => void;
  toggleAll: () => void;
  /** Ticks rows of all pages. */
  take: (rows: readonly Row[], isAll: boolean) => void;
  clear: () => void;
}

/**
 * Which rows are ticked. What is no longer on the page is not, unless all that match were taken; these are forgotten
 * when the list is filtered otherwise.
 * @param filters what the list is filtered by
 */
export function useSelection<Row>(
  rows: readonly Row[],
  idOf: (row: Row) => string,
  filters: string,
): Selection<Row> {
  const [list, setList] = useTyped('selected-rows', [] as readonly string[]);
  const ids = new Set(list);
  const [taken, setTaken] = useState<{ rows: readonly Row[]; isAll: boolean; of: string } | null>(
    null,
  );
  const beyond = taken?.of === filters ? taken : null;
  // What the page says of a row is newer.
  const known = new Map([...(beyond?.rows ?? []), ...rows].map((row) => [idOf(row), row]));
  const ticked = [...known].flatMap(([id, row]) => (ids.has(id) ? [row] : []));
  const isAll = rows.length > 0 && rows.every((row) => ids.has(idOf(row)));
  const clear = () => {
    setList([]);
    setTaken(null);
  };
  return {
    rows: ticked,
    has: (row) => ids.has(idOf(row)),
    isAll,
    taken: beyond ? (beyond.isAll ? 'all' : 'first') : 'no',
    toggle: (row) =>
      setList((before) => {
        const after = new Set(before);
        if (!after.delete(idOf(row))) after.add(idOf(row));
        return [...after];
      }),
    toggleAll: () =>
      isAll ? clear() : setList((before) => [...new Set([...before, ...rows.map(idOf)])]),
    take: (all, isEverything) => {
      setTaken({ rows: all, isAll: isEverything, of: filters });
      setList(all.map(idOf));
    },
    clear,
  };
}
