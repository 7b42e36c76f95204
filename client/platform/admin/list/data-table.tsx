import { ChevronFirst, ChevronLeft, ChevronRight, Download } from 'lucide-react';
import { useRef, type ReactNode } from 'react';
import type { Paged } from '#shared/admin/paging.ts';
import { download } from '../../export-data.ts';
import { Button } from '../../ui/buttons/button.tsx';
import { IconButton } from '../../ui/buttons/icon-button.tsx';
import { ErrorBanner } from '../../ui/feedback/error-banner.tsx';
import { RetryBanner } from '../../ui/feedback/retry-banner.tsx';
import { Skeleton } from '../../ui/feedback/skeleton.tsx';
import { numberWords, totalWords } from '../format.ts';
import { toastError } from '../toast-error.ts';
import { BulkBar, type BulkAct } from './bulk-bar.tsx';
import { ListControls } from './list-controls.tsx';
import { Rows, type Column } from './rows.tsx';
import { SelectAllMatching } from './select-all-matching.tsx';
import type { AdminList } from './use-admin-list.ts';
import { useSelection, type AdminRow } from './use-selection.ts';

export interface DataTableProps<Row, Answer extends Paged> {
  /** The name of the rows, such as 'Access codes'. */
  label: string;
  list: AdminList<Answer>;
  rowsOf: (answer: Answer) => readonly Row[];
  /** The first column names the row. */
  columns: readonly Column<Row>[];
  nameOf: (row: Row) => string;
  /** Shown if there are no rows, and if none match the filters. */
  empty: string;
  noMatch: string;
  actions?: (row: Row) => ReactNode;
  bulk?: readonly BulkAct<Row>[];
}

/** A paged list: a table on a wide screen, two lines per row on a phone. */
export function DataTable<Row extends AdminRow, Answer extends Paged>({
  label,
  list,
  rowsOf,
  empty,
  noMatch,
  bulk,
  ...shown
}: DataTableProps<Row, Answer>) {
  const { asked, address, failure } = list;
  const top = useRef<HTMLDivElement>(null);
  const paged = asked.data;
  const rows = paged && rowsOf(paged);
  const selection = useSelection(rows ?? [], list.filters);
  const isOld = asked.isPlaceholderData || (asked.error !== null && rows !== undefined);
  return (
    <div ref={top} className="relative flex scroll-mt-4 flex-col gap-2 sm:gap-4">
      <ListControls list={list} />
      {asked.error && <RetryBanner title={failure} asked={asked} />}
      {!asked.error && asked.fetchStatus === 'paused' && (
        <ErrorBanner look="offline" title="You’re offline">
          {rows
            ? 'Showing the last version we have.'
            : 'The list will load when you’re back online.'}
        </ErrorBanner>
      )}
      {!rows && !asked.error && asked.fetchStatus !== 'paused' && (
        <Skeleton label={`Loading ${label.toLowerCase()}…`} lines={6} />
      )}
      {rows && rows.length === 0 && !address.query['cursor'] && (
        <p className="rounded-card border border-dashed border-line-strong p-8 text-center text-soft">
          {address.isFiltered ? noMatch : empty}
        </p>
      )}
      {rows && rows.length > 0 && (
        <div aria-busy={isOld} className={isOld ? 'opacity-60' : ''}>
          <Rows
            label={label}
            rows={rows}
            sorting={{
              by: address.query['sort'] ?? '',
              choose: (by) => address.choose('sort', by),
            }}
            {...shown}
            {...(bulk ? { selection } : {})}
          />
        </div>
      )}
      {rows && (
        <Pager
          paged={paged}
          count={rows.length}
          isFirst={!address.query['cursor']}
          exportHref={list.exportHref}
          turn={(cursor) => {
            address.turn(cursor);
            // Shows the next page from its top.
            top.current?.scrollIntoView({ behavior: 'instant' });
          }}
        />
      )}
      {bulk && (
        <BulkBar acts={bulk} selection={selection} nameOf={shown.nameOf}>
          {paged && selection.isAll && selection.taken === 'no' && hasMore(paged) && (
            <SelectAllMatching list={list} paged={paged} rowsOf={rowsOf} selection={selection} />
          )}
        </BulkBar>
      )}
    </div>
  );
}

/** Such as '51 to 100 of 423'. */
const rangeWords = (paged: Paged, count: number): string =>
  paged.first
    ? `${numberWords(paged.first)} to ${numberWords(paged.first + count - 1)} of ${totalWords(paged)}`
    : `${numberWords(count)} of ${totalWords(paged)} shown`;

const hasMore = ({ next_cursor, previous_cursor }: Paged): boolean =>
  next_cursor !== null || previous_cursor !== null;

function Pager({
  paged,
  count,
  isFirst,
  exportHref,
  turn,
}: {
  paged: Paged;
  count: number;
  isFirst: boolean;
  /** Of all pages as a table. */
  exportHref: AdminList['exportHref'];
  turn: (cursor: string | null) => void;
}) {
  const { next_cursor, previous_cursor } = paged;
  const isAlone = isFirst && !next_cursor;
  return (
    <nav aria-label="Pages" className="flex flex-wrap items-center justify-between gap-3">
      {/* Only announced above an empty list, which already says so. */}
      <p
        role="status"
        className={isAlone && count === 0 ? 'sr-only' : 'text-sm text-soft tabular-nums'}
      >
        {isAlone ? `${numberWords(count)} shown` : rangeWords(paged, count)}
      </p>
      {exportHref && count > 0 && (
        <a
          href={exportHref}
          download
          onClick={(event) => {
            event.preventDefault();
            download(exportHref, 'Failed to export').catch(toastError);
          }}
          className="ml-auto inline-flex min-h-11 items-center gap-2 rounded-control px-2 font-bold text-accent underline-offset-4 hover:underline"
        >
          <Download aria-hidden className="size-5 shrink-0" />
          Export CSV
        </a>
      )}
      {!isAlone && (
        <div className="flex flex-wrap gap-1">
          {!isFirst && (
            <IconButton Icon={ChevronFirst} label="First page" onClick={() => turn(null)} />
          )}
          <Button
            look="secondary"
            className="px-3!"
            disabled={!previous_cursor}
            onClick={() => turn(previous_cursor)}
            Icon={ChevronLeft}
          >
            Previous
          </Button>
          <Button
            look="secondary"
            className="px-3!"
            disabled={!next_cursor}
            onClick={() => turn(next_cursor)}
          >
            Next
            <ChevronRight aria-hidden className="size-5" />
          </Button>
        </div>
      )}
    </nav>
  );
}
