import { CircleAlert } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { toast } from 'sonner';
import { PAGE_MAX, type BulkOutcome } from '#shared/admin/paging.ts';
import { messageOf } from '../../http/error-message.ts';
import { useTyped } from '../../session/sign-in-again.ts';
import { Button } from '../../ui/buttons/button.tsx';
import { Modal } from '../../ui/dialogs/modal.tsx';
import { ErrorBanner } from '../../ui/feedback/error-banner.tsx';
import { MessageField } from '../../ui/inputs/message-field.tsx';
import { numberWords } from '../format.ts';
import { toastError } from '../toast-error.ts';
import type { BatchProgress } from './in-batches.ts';
import { RowList } from './row-list.tsx';
import { idOf, type AdminRow, type Selection } from './use-selection.ts';

/** An action on several rows at once. */
export interface BulkAct<Row> {
  /** Label of its button, such as 'Disable'. */
  name: string;
  /** Past tense of the action, such as 'Disabled'. */
  done: string;
  /** Describes the effect on a row; null if nothing changes. */
  effect: (row: Row) => string | null;
  /** Makes its confirmation red. */
  isDestructive?: boolean;
  /** Set if it requires a reason, which applies to all rows. */
  reason?: { hint: string; max: number };
  /** @throws with a message for the admin */
  run: (rows: readonly Row[], reason: string, course: BatchProgress) => Promise<BulkOutcome>;
  /** Undoes it for the changed rows. */
  undo?: (rows: readonly Row[], onProgress: BatchProgress['onProgress']) => Promise<BulkOutcome>;
}

/**
 * A bar at the bottom while rows are selected; each action shows a preview first.
 * @param children button to select more rows
 */
export function BulkBar<Row extends AdminRow>({
  acts,
  selection,
  nameOf,
  children,
}: {
  acts: readonly BulkAct<Row>[];
  selection: Selection<Row>;
  nameOf: (row: Row) => string;
  children?: ReactNode;
}) {
  const [actName, setActName] = useTyped('bulk-act', '');
  const act = acts.find(({ name }) => name === actName) ?? null;
  const setAct = (next: BulkAct<Row> | null) => setActName(next?.name ?? '');
  const [done, setDone] = useState<Done<Row> | null>(null);
  /** Stops the running action. */
  const [running, setRunning] = useState<AbortController | null>(null);
  const count = selection.rows.length;
  const summary = `${numberWords(count)} selected${selection.taken === 'first' ? ', and more match' : ''}`;
  // A running action is stopped, and the dialog closes with its result.
  const close = () => (running ? running.abort() : setAct(null));
  return (
    <>
      <p role="status" className="sr-only">
        {count > 0 && summary}
      </p>
      {count > 0 && (
        <section
          aria-label="Selected rows"
          className="sticky bottom-2 z-20 flex flex-wrap items-center gap-2 rounded-card border border-line-strong bg-surface p-2.5 shadow-lift"
        >
          <p className="mr-auto px-1.5 font-bold">{summary}</p>
          {children}
          <Button look="quiet" onClick={selection.clear}>
            Clear
          </Button>
          <div className="flex w-full flex-wrap gap-2 sm:w-auto">
            {acts.map((each) => (
              <Button
                key={each.name}
                look="secondary"
                className="flex-1 px-2! sm:flex-none sm:px-5!"
                onClick={() => setAct(each)}
              >
                {each.name}
              </Button>
            ))}
          </div>
        </section>
      )}
      <Modal
        open={act !== null && count > 0}
        onClose={close}
        title={act ? `${act.name} ${numberWords(count)} selected?` : ''}
      >
        {act && (
          <Preview
            act={act}
            rows={selection.rows}
            nameOf={nameOf}
            onRunning={setRunning}
            onClose={close}
            onDone={(result) => {
              setAct(null);
              selection.clear();
              showResult(act, result, setDone);
            }}
          />
        )}
      </Modal>
      <BulkResult done={done} nameOf={nameOf} onClose={() => setDone(null)} />
    </>
  );
}

function Preview<Row extends AdminRow>({
  act,
  rows,
  nameOf,
  onRunning,
  onClose,
  onDone,
}: {
  act: BulkAct<Row>;
  rows: readonly Row[];
  nameOf: (row: Row) => string;
  onRunning: (running: AbortController | null) => void;
  onClose: () => void;
  onDone: (done: Done<Row>) => void;
}) {
  /** Number of processed rows. */
  const [processed, setProcessed] = useState<number | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const [reason, setReason] = useTyped('bulk-reason', '');
  const due = rows.filter((row) => act.effect(row) !== null);

  async function run() {
    if (act.reason && reason.trim() === '') return setProblem('Please enter a reason');
    setProcessed(0);
    setProblem(null);
    const running = new AbortController();
    onRunning(running);
    try {
      const { signal } = running;
      const outcome = await act.run(due, reason, { signal, onProgress: setProcessed });
      onDone({ did: act.done, rows: due, ...outcome });
    } catch (error) {
      setProblem(messageOf(error));
      setProcessed(null);
    } finally {
      onRunning(null);
    }
  }

  return (
    <div className="flex flex-col gap-4">
      {due.length < rows.length && (
        <p>
          {numberWords(due.length)} of {numberWords(rows.length)} will change.
        </p>
      )}
      <RowList label="Planned changes" rows={rows} nameOf={nameOf}>
        {(row) => <span className="text-soft">{act.effect(row) ?? 'Unchanged'}</span>}
      </RowList>
      {act.reason && (
        <MessageField
          label="Reason"
          hint={act.reason.hint}
          required
          rows={3}
          max={act.reason.max}
          value={reason}
          onChange={(next) => {
            setReason(next);
            setProblem(null);
          }}
        />
      )}
      {processed !== null && due.length > PAGE_MAX && (
        <progress
          aria-label="Progress"
          value={processed}
          max={due.length}
          className="h-2 w-full accent-accent"
        />
      )}
      {problem && <ErrorBanner>{problem}</ErrorBanner>}
      <div className="actions">
        <Button look="secondary" wide onClick={onClose}>
          {processed === null ? 'Cancel' : 'Stop'}
        </Button>
        <Button
          wide
          look={act.isDestructive ? 'danger' : 'primary'}
          disabled={due.length === 0}
          pending={processed !== null && 'Working…'}
          onClick={() => void run()}
        >
          {act.name} {numberWords(due.length)}
        </Button>
      </div>
    </div>
  );
}

/** Shows how many rows were changed, with an Undo button if possible, and lists skipped rows. */
function showResult<Row extends AdminRow>(
  { undo, done: did }: BulkAct<Row>,
  result: Done<Row>,
  showSkipped: (result: Done<Row>) => void,
): void {
  if (result.skipped.length > 0) showSkipped(result);
  const rows = result.rows.filter((row) => result.done.includes(idOf(row)));
  if (rows.length === 0) return;
  const undoAll = async () => {
    if (!undo) return;
    const all = numberWords(rows.length);
    const id = toast.loading(`Undoing ${all}…`);
    try {
      const outcome = await undo(rows, (processed) =>
        toast.loading(`Undone ${numberWords(processed)} of ${all}…`, { id }),
      );
      if (outcome.skipped.length === 0) return void toast.success(`Undone ${all}`, { id });
      toast.dismiss(id);
      showSkipped({ did: 'Undone', rows, ...outcome });
    } catch (error) {
      toast.dismiss(id);
      toastError(error);
    }
  };
  toast(
    `${did} ${numberWords(rows.length)}`,
    undo && { action: { label: 'Undo', onClick: () => void undoAll() } },
  );
}

/** The result of a bulk action. */
interface Done<Row> extends BulkOutcome {
  /** Past tense of the action, such as 'Refunded'. */
  did: string;
  rows: readonly Row[];
}

/** The result of a bulk action that skipped rows: the skipped rows with reasons, then the others. */
function BulkResult<Row extends AdminRow>({
  done,
  nameOf,
  onClose,
}: {
  done: Done<Row> | null;
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
