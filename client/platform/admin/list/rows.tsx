import { ArrowDown, ArrowUp, ArrowUpDown } from 'lucide-react';
import type { ReactNode } from 'react';
import { useMedia } from '../../ui/layout/use-media.ts';
import { idOf, type AdminRow, type Selection } from './use-selection.ts';

export interface Column<Row> {
  name: string;
  cell: (row: Row) => ReactNode;
  /** Numbers are right-aligned. */
  isFigure?: boolean;
  /** The orders of the list by this column, as in the address: '' is the default. Its heading changes between them. */
  orders?: { up?: string; down?: string };
}

interface Sorting {
  by: string;
  choose: (by: string) => void;
}

interface RowsProps<Row> {
  label: string;
  rows: readonly Row[];
  columns: readonly Column<Row>[];
  nameOf: (row: Row) => string;
  actions?: (row: Row) => ReactNode;
  /** Set if rows can be selected. */
  selection?: Selection<Row>;
  /** Left out where the columns have no orders. */
  sorting?: Sorting;
}

/** The rows of a page: a table on wide screens, else cards. */
export function Rows<Row extends AdminRow>(props: RowsProps<Row>) {
  // From this width, every table fits next to the tabs.
  const isWide = useMedia('(min-width: 80rem)');
  return isWide ? <WideRows {...props} /> : <Cards {...props} />;
}

function WideRows<Row extends AdminRow>({
  label,
  rows,
  columns,
  nameOf,
  actions,
  selection,
  sorting,
}: RowsProps<Row>) {
  const [first, ...others] = columns;
  const cell = 'px-2.5 py-2 align-middle';
  return (
    // Unbreakable text may still overflow.
    <section
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls must be in reach of the keyboard
      tabIndex={0}
      // Differs from the name of the card around it.
      aria-label={`${label} table`}
      className="overflow-x-auto rounded-card border border-line bg-surface shadow-lift"
    >
      <table className="w-full border-collapse text-left text-sm">
        <caption className="sr-only">{label}</caption>
        <thead className="border-b border-line text-soft">
          <tr>
            {selection && (
              <th scope="col" className="w-11 pl-2">
                <Tick label="Select all" checked={selection.isAll} onChange={selection.toggleAll} />
              </th>
            )}
            {columns.map(({ name, isFigure, orders }) => (
              <th
                key={name}
                scope="col"
                aria-sort={orders && sorting && directionOf(orders, sorting.by)}
                className={`${cell} font-bold whitespace-nowrap ${isFigure ? 'text-right' : ''}`}
              >
                {orders && sorting ? (
                  <SortButton name={name} orders={orders} sorting={sorting} />
                ) : (
                  name
                )}
              </th>
            ))}
            {actions && (
              <th scope="col" className={cell}>
                <span className="sr-only">Actions</span>
              </th>
            )}
          </tr>
        </thead>
        <tbody className="divide-y divide-line">
          {rows.map((row) => (
            <tr key={idOf(row)} className={selection?.has(row) ? 'bg-accent-soft' : ''}>
              {selection && (
                <td className="w-11 pl-2">
                  <Tick
                    label={`Select ${nameOf(row)}`}
                    checked={selection.has(row)}
                    onChange={() => selection.toggle(row)}
                  />
                </td>
              )}
              <th scope="row" className={`${cell} max-w-72 font-bold`}>
                {first?.cell(row)}
              </th>
              {others.map(({ name, cell: content, isFigure }) => (
                <td key={name} className={`${cell} ${isFigure ? 'text-right tabular-nums' : ''}`}>
                  {content(row)}
                </td>
              ))}
              {actions && (
                <td className={`${cell} text-right`}>
                  <div className="flex items-center justify-end gap-1">{actions(row)}</div>
                </td>
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

type Orders = NonNullable<Column<unknown>['orders']>;

const directionOf = ({ up, down }: Orders, by: string) =>
  by === up ? 'ascending' : by === down ? 'descending' : 'none';

const SORT_ICONS = { ascending: ArrowUp, descending: ArrowDown, none: ArrowUpDown };

/** The heading of a column that sorts: by it, and the other way round if it does already. */
function SortButton({
  name,
  orders,
  sorting: { by, choose },
}: {
  name: string;
  orders: Orders;
  sorting: Sorting;
}) {
  const direction = directionOf(orders, by);
  const Icon = SORT_ICONS[direction];
  const { up, down } = orders;
  const next = direction === 'descending' ? (up ?? down) : (down ?? up);
  return (
    <button
      type="button"
      onClick={() => choose(next ?? '')}
      className="-my-2 inline-flex min-h-11 items-center gap-1 font-bold underline-offset-4 hover:text-ink hover:underline"
    >
      {name}
      <Icon
        aria-hidden
        className={`size-4 shrink-0 ${direction === 'none' ? 'opacity-60' : 'text-ink'}`}
      />
    </button>
  );
}

function Cards<Row extends AdminRow>({
  label,
  rows,
  columns,
  nameOf,
  actions,
  selection,
}: RowsProps<Row>) {
  const [first, ...others] = columns;
  return (
    <div className="flex flex-col gap-3">
      {selection && (
        // On a phone beside the filters, so that the rows come first.
        <div className="flex items-center gap-1 font-bold max-sm:absolute max-sm:top-0 max-sm:right-0">
          <Tick label="Select all" checked={selection.isAll} onChange={selection.toggleAll} />
          <span aria-hidden>Select all</span>
        </div>
      )}
      <ul aria-label={label} className="flex flex-col gap-3 md:grid md:grid-cols-2">
        {rows.map((row) => (
          <li
            key={idOf(row)}
            className={`flex flex-col gap-2 rounded-card border bg-surface p-3.5 shadow-lift ${selection?.has(row) ? 'border-accent' : 'border-line'}`}
          >
            <div className="flex items-start gap-1">
              {selection && (
                <Tick
                  label={`Select ${nameOf(row)}`}
                  checked={selection.has(row)}
                  onChange={() => selection.toggle(row)}
                />
              )}
              <div className="min-w-0 flex-1 self-center font-bold break-words">
                {first?.cell(row)}
              </div>
            </div>
            <dl className="flex flex-col gap-1.5">
              {others.map(({ name, cell }) => (
                // Wraps with large text.
                <div key={name} className="flex flex-wrap gap-x-3">
                  <dt className="shrink-0 basis-21 text-sm leading-6 text-soft">{name}</dt>
                  <dd className="min-w-0 flex-1 basis-32 text-balance break-words tabular-nums">
                    {cell(row)}
                  </dd>
                </div>
              ))}
            </dl>
            {actions && (
              <div className="mt-auto flex flex-wrap items-center justify-end gap-1">
                {actions(row)}
              </div>
            )}
          </li>
        ))}
      </ul>
    </div>
  );
}

function Tick({
  label,
  checked,
  onChange,
}: {
  label: string;
  checked: boolean;
  onChange: () => void;
}) {
  return (
    <label className="-my-1 flex size-11 shrink-0 cursor-pointer items-center justify-center">
      <span className="sr-only">{label}</span>
      <input
        type="checkbox"
        checked={checked}
        onChange={onChange}
        className="size-5 accent-accent"
      />
    </label>
  );
}
