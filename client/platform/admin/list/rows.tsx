import { ArrowDown, ArrowUp, ArrowUpDown, ChevronDown, ChevronUp } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { IconButton } from '../../ui/buttons/icon-button.tsx';
import { useMedia } from '../../ui/layout/use-media.ts';
import { idOf, type AdminRow, type Selection } from './use-selection.ts';

export interface Column<Row> {
  name: string;
  cell: (row: Row) => ReactNode;
  /** Numbers are right-aligned. */
  isFigure?: boolean;
  /** A state in a word or two: on a phone at the beginning of the row's second line. */
  isState?: boolean;
  /** What a phone shows in the row's second line before it is opened, if not the cell; null for nothing. Of the first column, this alone. */
  brief?: ((row: Row) => ReactNode) | null;
  /** Whether a phone leaves out the column's name then, because what it shows says what it is. */
  isPlain?: boolean;
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

/** The rows of a page: a table on wide screens, else two lines each. */
export function Rows<Row extends AdminRow>(props: RowsProps<Row>) {
  // From this width, every table fits next to the tabs.
  const isWide = useMedia('(min-width: 80rem)');
  return isWide ? <WideRows {...props} /> : <NarrowRows {...props} />;
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
              <th scope="row" className={`${cell} max-w-72 min-w-40 font-bold`}>
                {first?.cell(row)}
              </th>
              {others.map(({ name, cell: content, isFigure }) => (
                <td
                  key={name}
                  className={`${cell} ${isFigure ? 'text-right whitespace-nowrap tabular-nums' : ''}`}
                >
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

/** Two lines per row on a phone; the rest, and the actions, once it is opened. */
function NarrowRows<Row extends AdminRow>({
  label,
  rows,
  columns,
  nameOf,
  actions,
  selection,
}: RowsProps<Row>) {
  const [openIds, setOpenIds] = useState<ReadonlySet<string>>(new Set());
  const [first, ...others] = columns;
  const turn = (id: string) =>
    setOpenIds((before) => {
      const after = new Set(before);
      if (!after.delete(id)) after.add(id);
      return after;
    });
  return (
    <div className="flex flex-col gap-3">
      {selection && (
        // On a phone beside the filters, so that the rows come first.
        <div className="flex items-center gap-1 font-bold max-sm:absolute max-sm:top-0 max-sm:right-0 max-sm:h-11">
          <Tick label="Select all" checked={selection.isAll} onChange={selection.toggleAll} />
          <span aria-hidden>Select all</span>
        </div>
      )}
      <ul
        aria-label={label}
        className="divide-y divide-line rounded-card border border-line bg-surface shadow-lift"
      >
        {rows.map((row) => {
          const isOpen = openIds.has(idOf(row));
          return (
            <li
              key={idOf(row)}
              className={`flex flex-col gap-2 py-1.5 pl-2 ${selection?.has(row) ? 'bg-accent-soft' : ''}`}
            >
              <div className="relative flex items-center gap-1">
                {selection && (
                  <span className="relative z-10 -ml-2">
                    <Tick
                      label={`Select ${nameOf(row)}`}
                      checked={selection.has(row)}
                      onChange={() => selection.toggle(row)}
                    />
                  </span>
                )}
                <div className="min-w-0 flex-1">
                  <div
                    className={`font-bold ${isOpen ? 'break-words' : 'truncate [&>*+*]:hidden [&>*:first-child]:truncate'}`}
                  >
                    {first?.cell(row)}
                  </div>
                  <div className="flex items-center gap-2">
                    {others.map(
                      ({ name, cell, isState }) =>
                        isState && (
                          <span key={name} className={`shrink-0 ${isOpen ? '' : '[&>*+*]:hidden'}`}>
                            {cell(row)}
                          </span>
                        ),
                    )}
                    {!isOpen && <Brief row={row} columns={columns} />}
                  </div>
                </div>
                <IconButton
                  Icon={isOpen ? ChevronUp : ChevronDown}
                  label={`${isOpen ? 'Less' : 'More'} about ${nameOf(row)}`}
                  aria-expanded={isOpen}
                  onClick={() => turn(idOf(row))}
                  // All of the row opens it, but for what stands above.
                  className={isOpen ? '' : 'after:absolute after:inset-0'}
                />
              </div>
              {isOpen && (
                <div className="flex flex-col gap-2 pr-2 pb-1">
                  <dl className="flex flex-col gap-1.5">
                    {others.map(
                      ({ name, cell, isState }) =>
                        !isState && (
                          // Wraps with large text.
                          <div key={name} className="flex flex-wrap gap-x-3">
                            <dt className="shrink-0 basis-21 text-sm leading-6 text-soft">
                              {name}
                            </dt>
                            <dd className="min-w-0 flex-1 basis-32 text-balance break-words tabular-nums">
                              {cell(row)}
                            </dd>
                          </div>
                        ),
                    )}
                  </dl>
                  {actions && (
                    <div className="flex flex-wrap items-center justify-end gap-2">
                      {actions(row)}
                    </div>
                  )}
                </div>
              )}
            </li>
          );
        })}
      </ul>
    </div>
  );
}

/** The second line of a row: its columns one after another, as far as they fit. Room for a name is only after the first value. */
function Brief<Row>({ row, columns }: { row: Row; columns: readonly Column<Row>[] }) {
  const shown = columns.filter(
    ({ isState, brief }, index) => !isState && brief !== null && (index > 0 || brief),
  );
  return (
    <p className="min-w-0 truncate text-sm text-soft tabular-nums [&_*]:inline [&_*]:text-sm [&_*]:break-normal [&_wbr]:hidden">
      {shown.map(({ name, cell, brief = cell, isPlain, isFigure }, index) => (
        <span key={name}>
          {index > 0 && <span>{' · '}</span>}
          {!isPlain && (index > 0 || isFigure) && <span>{`${name}: `}</span>}
          {brief?.(row)}
        </span>
      ))}
    </p>
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
