import { useState, type ReactNode } from 'react';
import { toast } from 'sonner';
import { PAGE_MAX, type BulkOutcome } from '#shared/admin/paging.ts';
import { useTyped } from '../../session/sign-in-again.ts';
import { Button } from '../../ui/button.tsx';
import { ErrorBanner } from '../../ui/error-banner.tsx';
import { MessageField } from '../../ui/message-field.tsx';
import { Modal } from '../../ui/modal.tsx';
import type { Course } from './in-batches.ts';
import { RowList } from './row-list.tsx';
import { toastError } from '../toast-error.ts';
import type { Selection } from './use-selection.ts';
import { BulkResult, type Done } from './bulk-result.tsx';
import { numberWords } from '../format.ts';
import { messageOf } from '../../http/error-message.ts';

/** Something that can be done with several rows at once. */
export interface BulkAct<Row> {
  /** What its button says, such as 'Disable'. */
  name: string;
  /** What it did, before how many: 'Disabled'. */
  done: string;
  /** What it makes of a row, in a few words; null where there is nothing to do. */
  effect: (row: Row) => string | null;
  /** Where it is to be said why, in one reason for all of them. */
  reason?: { hint: string; max: number };
  /** @throws with words for the person */
  run: (rows: readonly Row[], reason: string, course: Course) => Promise<BulkOutcome>;
  /** Takes it back for those with which it was done. */
  undo?: (rows: readonly Row[], onProgress: Course['onProgress']) => Promise<BulkOutcome>;
}

/**
 * Stands at the bottom as long as rows are ticked; each act shows first what it will do.
 * @param children what leads to more rows than these
 */
export function BulkBar<Row>({
  acts,
  selection,
  idOf,
  nameOf,
  children,
}: {
  acts: readonly BulkAct<Row>[];
  selection: Selection<Row>;
  idOf: (row: Row) => string;
  nameOf: (row: Row) => string;
  children?: ReactNode;
}) {
  const [actName, setActName] = useTyped('bulk-act', '');
  const act = acts.find(({ name }) => name === actName) ?? null;
  const setAct = (next: BulkAct<Row> | null) => setActName(next?.name ?? '');
  const [done, setDone] = useState<Done<Row> | null>(null);
  /** Ends the act that goes on. */
  const [running, setRunning] = useState<AbortController | null>(null);
  const count = selection.rows.length;
  const told = `${numberWords(count)} selected${selection.taken === 'first' ? ', and more match' : ''}`;
  // What goes on is stopped, and closes when it has told what it did.
  const close = () => (running ? running.abort() : setAct(null));
  return (
    <>
      <p role="status" className="sr-only">
        {count > 0 && told}
      </p>
      {count > 0 && (
        <section
          aria-label="Selected rows"
          className="sticky bottom-2 z-20 flex flex-wrap items-center gap-2 rounded-card border border-line-strong bg-surface p-2.5 shadow-lift"
        >
          <p className="mr-auto px-1.5 font-bold">{told}</p>
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
            idOf={idOf}
            nameOf={nameOf}
            onRunning={setRunning}
            onClose={close}
            onDone={(came) => {
              setAct(null);
              selection.clear();
              tell(act, came, idOf, setDone);
            }}
          />
        )}
      </Modal>
      <BulkResult done={done} idOf={idOf} nameOf={nameOf} onClose={() => setDone(null)} />
    </>
  );
}

function Preview<Row>({
  act,
  rows,
  idOf,
  nameOf,
  onRunning,
  onClose,
  onDone,
}: {
  act: BulkAct<Row>;
  rows: readonly Row[];
  idOf: (row: Row) => string;
  nameOf: (row: Row) => string;
  onRunning: (running: AbortController | null) => void;
  onClose: () => void;
  onDone: (done: Done<Row>) => void;
}) {
  /** How many are through. */
  const [through, setThrough] = useState<number | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const [reason, setReason] = useTyped('bulk-reason', '');
  const due = rows.filter((row) => act.effect(row) !== null);

  async function run() {
    if (act.reason && reason.trim() === '') return setProblem('Please enter a reason');
    setThrough(0);
    setProblem(null);
    const running = new AbortController();
    onRunning(running);
    try {
      const { signal } = running;
      const came = await act.run(due, reason, { signal, onProgress: setThrough });
      onDone({ did: act.done, rows: due, ...came });
    } catch (error) {
      setProblem(messageOf(error));
      setThrough(null);
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
      <RowList label="Planned changes" rows={rows} idOf={idOf} nameOf={nameOf}>
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
          onChange={setReason}
        />
      )}
      {through !== null && due.length > PAGE_MAX && (
        <progress
          aria-label="Progress"
          value={through}
          max={due.length}
          className="h-2 w-full accent-accent"
        />
      )}
      {problem && <ErrorBanner>{problem}</ErrorBanner>}
      <div className="actions">
        <Button look="secondary" wide onClick={onClose}>
          {through === null ? 'Cancel' : 'Stop'}
        </Button>
        <Button
          wide
          disabled={due.length === 0}
          pending={through !== null && 'Working…'}
          onClick={() => void run()}
        >
          {act.name} {numberWords(due.length)}
        </Button>
      </div>
    </div>
  );
}

/** Says how many it was done with, and offers to take it back where that can be; of those left out, which and why. */
function tell<Row>(
  { undo, done: did }: BulkAct<Row>,
  came: Done<Row>,
  idOf: (row: Row) => string,
  showLeftOut: (came: Done<Row>) => void,
): void {
  if (came.skipped.length > 0) showLeftOut(came);
  const rows = came.rows.filter((row) => came.done.includes(idOf(row)));
  if (rows.length === 0) return;
  const takeBack = async () => {
    if (!undo) return;
    const all = numberWords(rows.length);
    const id = toast.loading(`Undoing ${all}…`);
    try {
      const outcome = await undo(rows, (through) =>
        toast.loading(`Undone ${numberWords(through)} of ${all}…`, { id }),
      );
      if (outcome.skipped.length === 0) return void toast.success(`Undone ${all}`, { id });
      toast.dismiss(id);
      showLeftOut({ did: 'Undone', rows, ...outcome });
    } catch (error) {
      toast.dismiss(id);
      toastError(error);
    }
  };
  toast(
    `${did} ${numberWords(rows.length)}`,
    undo && { action: { label: 'Undo', onClick: () => void takeBack() } },
  );
}
