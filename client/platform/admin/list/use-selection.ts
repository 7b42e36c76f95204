import { useState } from 'react';
import { useTyped } from '../../session/sign-in-again.ts';

/** A row of an admin list. */
export interface AdminRow {
  id: string | number;
}

export const idOf = ({ id }: AdminRow): string => String(id);

export interface Selection<Row> {
  /** The selected rows: of this page, or of all pages after `take`. */
  rows: readonly Row[];
  has: (row: Row) => boolean;
  /** Whether the whole page is selected. */
  isAll: boolean;
  /** Whether rows of other pages are selected, too; 'first' if more rows match. */
  taken: 'no' | 'all' | 'first';
  toggle: (row: Row) => void;
  toggleAll: () => void;
  /** Selects rows of all pages. */
  take: (rows: readonly Row[], isAll: boolean) => void;
  clear: () => void;
}

/**
 * The selected rows of a list. Rows that leave the page are deselected, unless rows of all pages were taken; those are
 * deselected when the filters change.
 * @param filters the list's filters as text
 */
export function useSelection<Row extends AdminRow>(
  rows: readonly Row[],
  filters: string,
): Selection<Row> {
  const [list, setList] = useTyped('selected-rows', [] as readonly string[]);
  const ids = new Set(list);
  const [taken, setTaken] = useState<{ rows: readonly Row[]; isAll: boolean; of: string } | null>(
    null,
  );
  const beyond = taken?.of === filters ? taken : null;
  // The page has newer versions.
  const known = new Map([...(beyond?.rows ?? []), ...rows].map((row) => [idOf(row), row]));
  const selected = [...known].flatMap(([id, row]) => (ids.has(id) ? [row] : []));
  const isAll = rows.length > 0 && rows.every((row) => ids.has(idOf(row)));
  const clear = () => {
    setList([]);
    setTaken(null);
  };
  return {
    rows: selected,
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
