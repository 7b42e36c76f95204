import type { ReactNode } from 'react';
import { idOf, type AdminRow } from './use-selection.ts';

/** Rows in a dialog, each with details as children. */
export function RowList<Row extends AdminRow>({
  label,
  rows,
  nameOf,
  children,
}: {
  label: string;
  rows: readonly Row[];
  nameOf: (row: Row) => string;
  children: (row: Row) => ReactNode;
}) {
  return (
    <ul
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls must be in reach of the keyboard
      tabIndex={0}
      aria-label={label}
      className="max-h-[min(24rem,45dvh)] divide-y divide-line overflow-y-auto rounded-control border border-line px-3.5"
    >
      {rows.map((row) => (
        <li key={idOf(row)} className="flex flex-wrap justify-between gap-x-4 py-2">
          <span className="min-w-0 font-bold break-words">{nameOf(row)}</span>
          {children(row)}
        </li>
      ))}
    </ul>
  );
}
