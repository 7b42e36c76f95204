import { CircleAlert } from 'lucide-react';
import type { BulkOutcome } from '#shared/admin/paging.ts';
import { Button } from '../ui/button.tsx';
import { Modal } from '../ui/modal.tsx';

/** What came of an act on several rows. */
export interface Done<Row> extends BulkOutcome {
  /** What it did, before how many: 'Paid back'. */
  did: string;
  rows: readonly Row[];
}

/** How rows stand in a dialog. */
export const ROWS =
  'max-h-72 divide-y divide-line overflow-y-auto rounded-control border border-line px-3.5';
export const ROW = 'flex flex-wrap justify-between gap-x-4 py-2';

/** Of an act that could not be done with all rows: row by row, what was done or why not. */
export function WhatHappened<Row>({
  done,
  idOf,
  nameOf,
  onClose,
}: {
  done: Done<Row> | null;
  idOf: (row: Row) => string;
  nameOf: (row: Row) => string;
  onClose: () => void;
}) {
  const whyNot = (row: Row) => done?.skipped.find(({ id }) => id === idOf(row))?.why;
  return (
    <Modal
      open={done !== null}
      onClose={onClose}
      title={done ? `${done.did} ${done.done.length} of ${done.rows.length}` : ''}
    >
      {done && (
        <div className="flex flex-col gap-4">
          <ul
            // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls must be in reach of the keyboard
            tabIndex={0}
            aria-label="What happened"
            className={ROWS}
          >
            {done.rows.map((row) => (
              <li key={idOf(row)} className={ROW}>
                <span className="font-semibold break-words">{nameOf(row)}</span>
                <Came did={done.did} why={whyNot(row)} />
              </li>
            ))}
          </ul>
          <Button wide onClick={onClose}>
            Close
          </Button>
        </div>
      )}
    </Modal>
  );
}

function Came({ did, why }: { did: string; why: string | undefined }) {
  if (why === undefined) return <span className="text-soft">{did}</span>;
  return (
    <span className="flex min-w-0 items-start gap-1.5 text-poor">
      <CircleAlert aria-hidden className="mt-1 size-4 shrink-0" />
      <span className="min-w-0 break-words">{why}</span>
    </span>
  );
}
