import { useState } from 'react';

export interface Selection<Row> {
  /** Those of the rows on the page that are ticked. */
  rows: readonly Row[];
  has: (row: Row) => boolean;
  isAll: boolean;
  toggle: (row: Row) => void;
  toggleAll: () => void;
  clear: () => void;
}

/** Which rows of a page are ticked. What is no longer on the page is not. */
export function useSelection<Row>(
  rows: readonly Row[],
  idOf: (row: Row) => string,
): Selection<Row> {
  const [ids, setIds] = useState<ReadonlySet<string>>(new Set());
  const ticked = rows.filter((row) => ids.has(idOf(row)));
  const isAll = rows.length > 0 && ticked.length === rows.length;
  return {
    rows: ticked,
    has: (row) => ids.has(idOf(row)),
    isAll,
    toggle: (row) =>
      setIds((before) => {
        const after = new Set(before);
        if (!after.delete(idOf(row))) after.add(idOf(row));
        return after;
      }),
    toggleAll: () => setIds(isAll ? new Set() : new Set(rows.map(idOf))),
    clear: () => setIds(new Set()),
  };
}
