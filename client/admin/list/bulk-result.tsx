import { CircleAlert } from 'lucide-react';
import type { BulkOutcome } from '#shared/admin/paging.ts';
import { Button } from '../../ui/button.tsx';
import { Modal } from '../../ui/modal.tsx';
import { RowList } from './row-list.tsx';

/** The result of a bulk action. */
export interface Done<Row> extends BulkOutcome {
  /** Past tense of the action, such as 'Refunded'. */
  did: string;
  rows: readonly Row[];
}

/** The result of a bulk action that skipped rows: the skipped rows with reasons, then the others. */
export function BulkResult<Row>({
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
  const isDone = (row: Row) => whyNot(row) === undefined;
  return (
    <Modal
      open={done !== null}
      onClose={onClose}
      title={done ? `${done.did} ${done.done.length} of ${done.rows.length}` : ''}
    >
      {done && (
        <div className="flex flex-col gap-4">
          <RowList
            label="Results"
            rows={done.rows.toSorted((a, b) => Number(isDone(a)) - Number(isDone(b)))}
            idOf={idOf}
            nameOf={nameOf}
          >
            {(row) => <RowResult did={done.did} why={whyNot(row)} />}
          </RowList>
          <Button wide onClick={onClose}>
            Close
          </Button>
        </div>
      )}
    </Modal>
  );
}

function RowResult({ did, why }: { did: string; why: string | undefined }) {
  if (why === undefined) return <span className="text-soft">{did}</span>;
  return (
    <span className="flex min-w-0 items-start gap-1.5 text-poor">
      <CircleAlert aria-hidden className="mt-1 size-4 shrink-0" />
      <span className="min-w-0 break-words">{why}</span>
    </span>
  );
}
