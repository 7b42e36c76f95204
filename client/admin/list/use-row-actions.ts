import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useMemo } from 'react';
import { toast } from 'sonner';
import type { BulkOutcome } from '#shared/admin/paging.ts';
import type { BulkAct } from './bulk-bar.tsx';
import { inBatches, type Course } from './in-batches.ts';
import { toastError } from '../toast-error.ts';
import { singleFlight } from '../../forms/single-flight.ts';

/** Something that can be done with several rows in one call. */
export interface Planned<Row, Action extends string> extends Pick<
  BulkAct<Row>,
  'name' | 'done' | 'effect' | 'reason'
> {
  action: Action;
  /** What takes it back; without, nothing does. */
  undo?: Action;
  /** Why it is taken back, where the act that does so wants to know. */
  undoReason?: (row: Row) => string;
}

/** How rows of a kind are changed; a constant. */
export interface RowKind<Row, Action extends string> {
  /** The key of its lists, behind 'admin'. */
  list: string;
  /** As a sentence begins with it. */
  nameOf: (row: Row) => string;
  isOn: (row: Row) => boolean;
  /** What is said of a row that was switched, such as 'enabled'. */
  on: string;
  off: string;
  switchTo: (row: Row, isOn: boolean) => Promise<unknown>;
  remove: (row: Row) => Promise<unknown>;
  change: Change<Action>;
  acts: readonly Planned<Row, Action>[];
}

/** The acts that switch rows on and off, such as 'enable' and 'disable'. */
export const switchActs = <Row, Action extends string>(
  on: Action,
  off: Action,
  isOn: (row: Row) => boolean,
): Planned<Row, Action>[] => {
  const act = (action: Action, undo: Action, effect: Planned<Row, Action>['effect']) => {
    const name = `${action[0]?.toUpperCase()}${action.slice(1)}`;
    return { action, undo, name, done: `${name}d`, effect };
  };
  return [
    act(on, off, (row) => (isOn(row) ? null : 'Inactive → Active')),
    act(off, on, (row) => (isOn(row) ? 'Active → Inactive' : null)),
  ];
};

type Change<Action extends string> = (
  action: Action,
  items: { id: string; version?: number }[],
  reason: string,
) => Promise<BulkOutcome>;

/** For what is taken back: nobody stops it. */
const UNSTOPPED = new AbortController().signal;

/** What the bar of ticked rows offers. Whoever acts does so on what was seen; undoing leads back whatever has come since. */
export function bulkActs<
  Row extends { id: string | number; version: number },
  Action extends string,
>(
  acts: readonly Planned<Row, Action>[],
  change: Change<Action>,
  refresh: () => Promise<unknown>,
): BulkAct<Row>[] {
  /** Each reason has a call of its own. */
  const lead = async (
    back: Action,
    rows: readonly Row[],
    reasonOf: (row: Row) => string,
    onProgress: Course['onProgress'],
  ) => {
    const outcome: BulkOutcome = { done: [], skipped: [] };
    let before = 0;
    for (const reason of new Set(rows.map(reasonOf))) {
      const items = rows.flatMap((row) =>
        reasonOf(row) === reason ? [{ id: String(row.id) }] : [],
      );
      const course = {
        signal: UNSTOPPED,
        onProgress: (count: number) => onProgress(before + count),
      };
      const { done, skipped } = await inBatches(
        items,
        (batch) => change(back, batch, reason),
        course,
      );
      before += items.length;
      outcome.done.push(...done);
      outcome.skipped.push(...skipped);
    }
    return outcome;
  };
  return acts.map(({ action, undo, undoReason = () => '', ...told }) => ({
    ...told,
    run: (rows, reason, course) =>
      inBatches(
        rows.map(({ id, version }) => ({ id: String(id), version })),
        (batch) => change(action, batch, reason),
        course,
      ).finally(refresh),
    ...(undo && {
      undo: (rows, onProgress) => lead(undo, rows, undoReason, onProgress).finally(refresh),
    }),
  }));
}

/** What can be done with rows from their list; each says itself what came of it, and has the lists read anew. */
export function useRowActions<Row extends { id: string; version: number }, Action extends string>(
  kind: RowKind<Row, Action>,
) {
  const queries = useQueryClient();
  const refresh = useCallback(
    () => queries.invalidateQueries({ queryKey: ['admin', kind.list] }),
    [queries, kind],
  );

  /** @param done what is said once it is done */
  const attempt = async (act: () => Promise<unknown>, done: string, undo?: () => void) => {
    try {
      await act();
      toast(done, undo && { action: { label: 'Undo', onClick: undo } });
    } catch (error) {
      toastError(error);
    } finally {
      await refresh();
    }
  };

  const { nameOf, isOn, on, off, switchTo } = kind;
  const toggle = (row: Row) =>
    singleFlight(row.id, () =>
      attempt(
        () => switchTo(row, !isOn(row)),
        `${nameOf(row)} is ${isOn(row) ? off : on}`,
        () => void switchTo(row, isOn(row)).finally(refresh).catch(toastError),
      ),
    );
  const remove = (row: Row) => attempt(() => kind.remove(row), `${nameOf(row)} is deleted`);
  const bulk = useMemo(() => bulkActs(kind.acts, kind.change, refresh), [kind, refresh]);

  return { toggle, remove, bulk, refresh, attempt };
}
