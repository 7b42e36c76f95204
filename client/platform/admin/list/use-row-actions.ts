import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useMemo } from 'react';
import { toast } from 'sonner';
import type { BulkOutcome } from '#shared/admin/paging.ts';
import { capitalized } from '#shared/capitalized.ts';
import { singleFlight } from '../../forms/single-flight.ts';
import { toastError } from '../toast-error.ts';
import type { BulkAct } from './bulk-bar.tsx';
import { inBatches, type BatchProgress } from './in-batches.ts';

/** A bulk action that runs in one call per batch. */
export interface Planned<Row, Action extends string> extends Pick<
  BulkAct<Row>,
  'name' | 'done' | 'effect' | 'reason' | 'isDestructive'
> {
  action: Action;
  /** The action that undoes it, if any. */
  undo?: Action;
  /** The reason for undoing, if that action requires one. */
  undoReason?: (row: Row) => string;
}

/** How rows of a kind are changed; must be constant. */
export interface RowKind<Row, Action extends string> {
  /** Query key of its lists, after 'admin'. */
  list: string;
  /** The name at the start of a sentence. */
  nameOf: (row: Row) => string;
  isOn: (row: Row) => boolean;
  /** The state after switching, such as 'enabled'. */
  on: string;
  off: string;
  switchTo: (row: Row, isOn: boolean) => Promise<unknown>;
  /** Deletes a row, if rows of the kind can be deleted. */
  remove?: (row: Row) => Promise<unknown>;
  change: Change<Action>;
  acts: readonly Planned<Row, Action>[];
}

/** Creates the actions that switch rows on and off, such as 'enable' and 'disable'. */
export const switchActs = <Row, Action extends string>(
  on: Action,
  off: Action,
  isOn: (row: Row) => boolean,
): Planned<Row, Action>[] => {
  const act = (action: Action, undo: Action, effect: Planned<Row, Action>['effect']) => {
    const name = capitalized(action);
    return { action, undo, name, done: `${name}d`, effect };
  };
  return [
    act(on, off, (row) => (isOn(row) ? null : 'Inactive → Active')),
    act(off, on, (row) => (isOn(row) ? 'Active → Inactive' : null)),
  ];
};

/** Deletes rows for good. */
export const DELETE_ACT = {
  action: 'delete' as const,
  name: 'Delete',
  done: 'Deleted',
  isDestructive: true,
  effect: () => 'Permanently deleted',
};

type Change<Action extends string> = (
  action: Action,
  items: { id: string; version?: number }[],
  reason: string,
) => Promise<BulkOutcome>;

/** Signal for undoing, which can't be stopped. */
const UNSTOPPABLE = new AbortController().signal;

/** Creates bulk actions. An action requires the versions that the admin has seen; undoing accepts any version. */
export function bulkActs<
  Row extends { id: string | number; version: number },
  Action extends string,
>(
  acts: readonly Planned<Row, Action>[],
  change: Change<Action>,
  refresh: () => Promise<unknown>,
): BulkAct<Row>[] {
  /** Undoes an action; each reason needs its own call. */
  const undoRows = async (
    undoAction: Action,
    rows: readonly Row[],
    reasonOf: (row: Row) => string,
    onProgress: BatchProgress['onProgress'],
  ) => {
    const outcome: BulkOutcome = { done: [], skipped: [] };
    let before = 0;
    for (const reason of new Set(rows.map(reasonOf))) {
      const items = rows.flatMap((row) =>
        reasonOf(row) === reason ? [{ id: String(row.id) }] : [],
      );
      const progress = {
        signal: UNSTOPPABLE,
        onProgress: (count: number) => onProgress(before + count),
      };
      const { done, skipped } = await inBatches(
        items,
        (batch) => change(undoAction, batch, reason),
        progress,
      );
      before += items.length;
      outcome.done.push(...done);
      outcome.skipped.push(...skipped);
    }
    return outcome;
  };
  return acts.map(({ action, undo, undoReason = () => '', ...shown }) => ({
    ...shown,
    run: (rows, reason, progress) =>
      inBatches(
        rows.map(({ id, version }) => ({ id: String(id), version })),
        (batch) => change(action, batch, reason),
        progress,
      ).finally(refresh),
    ...(undo && {
      undo: (rows, onProgress) => undoRows(undo, rows, undoReason, onProgress).finally(refresh),
    }),
  }));
}

/** Returns the actions on rows of a list; each shows its result and refreshes the lists. */
export function useRowActions<Row extends { id: string; version: number }, Action extends string>(
  kind: RowKind<Row, Action>,
) {
  const queries = useQueryClient();
  const refresh = useCallback(
    () => queries.invalidateQueries({ queryKey: ['admin', kind.list] }),
    [queries, kind],
  );

  /** @param done message after success */
  const attempt = async (act: () => Promise<unknown>, done: string, undo?: () => void) => {
    try {
      await act();
    } catch (error) {
      toastError(error);
      // Without waiting, so that a second press isn't ignored.
      void refresh();
      return;
    }
    toast(done, undo && { action: { label: 'Undo', onClick: undo } });
    await refresh();
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
  const remove = (row: Row) => attempt(async () => kind.remove?.(row), `${nameOf(row)} is deleted`);
  const bulk = useMemo(() => bulkActs(kind.acts, kind.change, refresh), [kind, refresh]);

  return { toggle, remove, bulk, refresh, attempt };
}
