import { describe, expect, it } from 'vitest';
import type { BulkOutcome, Paged } from '#shared/admin/paging.ts';
import { allThatMatch } from '../../client/platform/admin/list/fetch-all-matching.ts';
import { inBatches } from '../../client/platform/admin/list/in-batches.ts';
import { bulkActs } from '../../client/platform/admin/list/use-row-actions.ts';
import { CallError } from '../../client/platform/http/api-client.ts';

const items = Array.from({ length: 450 }, (_, i) => ({ id: `row-${i}` }));
const idsOf = (rows: readonly { id: string }[]) => rows.map(({ id }) => id);
const doAll = (batch: { id: string }[]): Promise<BulkOutcome> =>
  Promise.resolve({ done: idsOf(batch), skipped: [] });

function progressTracker() {
  const stop = new AbortController();
  const seen: number[] = [];
  return { stop, seen, signal: stop.signal, onProgress: (count: number) => seen.push(count) };
}

describe('a bulk action', () => {
  it('splits a bulk action into calls of at most 200 rows and reports progress', async () => {
    const sizes: number[] = [];
    const going = progressTracker();
    const { done, skipped } = await inBatches(
      items,
      (batch) => {
        sizes.push(batch.length);
        return doAll(batch);
      },
      going,
    );
    expect(sizes).toEqual([200, 200, 50]);
    expect(going.seen).toEqual([200, 400, 450]);
    expect(done).toEqual(idsOf(items));
    expect(skipped).toEqual([]);
  });

  it('reports the rows that a later failure left undone along with the finished ones', async () => {
    const [left] = items;
    const outcome = await inBatches(
      items,
      (batch) => {
        if (batch.some(({ id }) => id === 'row-200'))
          throw new CallError('No network', 0, 'offline');
        return Promise.resolve({
          done: idsOf(batch.slice(1)),
          skipped: [{ id: left?.id ?? '', why: 'Another admin changed this in the meantime' }],
        });
      },
      progressTracker(),
    );
    expect(outcome.done).toEqual(idsOf(items.slice(1, 200)));
    expect(outcome.skipped[0]?.why).toBe('Another admin changed this in the meantime');
    expect(outcome.skipped.slice(1)).toEqual(
      items.slice(200).map(({ id }) => ({ id, why: 'No network' })),
    );
  });

  it('throws the error of the call when no row was done', async () => {
    await expect(
      inBatches(
        items,
        () => Promise.reject(new CallError('No network', 0, 'offline')),
        progressTracker(),
      ),
    ).rejects.toThrow('No network');
  });

  it('stops a bulk action after the current call', async () => {
    const going = progressTracker();
    const { done, skipped } = await inBatches(
      items,
      (batch) => {
        going.stop.abort();
        return doAll(batch);
      },
      going,
    );
    expect(done).toHaveLength(200);
    expect(skipped).toHaveLength(250);
    expect(skipped[0]).toEqual({ id: 'row-200', why: 'Stopped before this item was processed' });
  });
});

describe('undoing a bulk action', () => {
  it('counts the progress of an undo across all reasons', async () => {
    const reasons: string[] = [];
    const [act] = bulkActs(
      [
        {
          action: 'put-back',
          name: 'Put back',
          done: 'Put back',
          effect: () => 'Shown',
          undo: 'take-down',
          undoReason: ({ id }: { id: string; version: number }) =>
            id < 'row-4' ? 'bites' : 'barks',
        },
      ],
      (_, batch, reason) => {
        reasons.push(reason);
        return doAll(batch);
      },
      () => Promise.resolve(),
    );
    const { seen, onProgress } = progressTracker();
    const rows = items.map(({ id }) => ({ id, version: 1 }));
    const bites = rows.filter(({ id }) => id < 'row-4').length;
    expect(await act?.undo?.(rows, onProgress)).toMatchObject({ skipped: [] });
    expect(reasons).toEqual(['bites', 'bites', 'barks']);
    expect(seen).toEqual([200, bites, 450]);
  });
});

describe('selecting all matching rows', () => {
  type Answer = Paged & { rows: { id: string }[] };
  const listOf = (total: number) => ({
    fetchPage: ({ cursor, limit }: { cursor: string | undefined; limit: number }) => {
      const from = Number(cursor ?? 0);
      const end = Math.min(from + limit, total);
      return Promise.resolve<Answer>({
        rows: Array.from({ length: end - from }, (_, i) => ({ id: `row-${from + i}` })),
        total,
        first: from + 1,
        total_is_capped: false,
        next_cursor: end < total ? String(end) : null,
        previous_cursor: null,
      });
    },
  });
  const rowsOf = ({ rows }: Answer) => rows;

  it('loads all matching rows page by page', async () => {
    const going = progressTracker();
    const { rows, isAll } = await allThatMatch(listOf(450), rowsOf, going);
    expect(rows).toEqual(items);
    expect(isAll).toBe(true);
    expect(going.seen).toEqual([200, 400, 450]);
  });

  it('selects at most 2,000 matching rows and reports that there are more', async () => {
    const { rows, isAll } = await allThatMatch(listOf(1_000_000), rowsOf, progressTracker());
    expect(rows).toHaveLength(2_000);
    expect(isAll).toBe(false);
  });

  it('selects no rows when stopped while loading', async () => {
    const going = progressTracker();
    const all = allThatMatch(listOf(450), rowsOf, going);
    going.stop.abort();
    await expect(all).rejects.toThrow('aborted');
    expect(going.seen).toEqual([]);
  });
});
