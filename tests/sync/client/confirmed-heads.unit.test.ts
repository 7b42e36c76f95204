import * as A from '@automerge/automerge';
import { encodeHeads, Repo } from '@automerge/automerge-repo';
import * as fc from 'fast-check';
import { beforeEach, expect, it, vi } from 'vitest';
import {
  Confirmations,
  ConfirmedHeads,
  type Settle,
  unconfirmedChanges,
} from '../../../client/platform/sync/documents/unsynced-changes.ts';
import { openDatabase } from '../../../client/platform/sync/storage/local-database.ts';
import { freshIndexedDb } from '../../fresh-indexed-db.ts';

vi.mock(import('@automerge/automerge/slim'), async (original) => {
  const all = await original();
  return {
    ...all,
    getChangesMetaSince: vi.fn<typeof all.getChangesMetaSince>(all.getChangesMetaSince),
  };
});

const here = A.from<Record<string, number>>({ a: 1 });
const edited = A.change(
  A.change(here, (doc) => void (doc.b = 2)),
  (doc) => void (doc.c = 3),
);

beforeEach(() => {
  freshIndexedDb();
});

it('counts the changes made after the heads that the server confirmed', () => {
  expect(unconfirmedChanges(edited, A.getHeads(edited))).toBe(0);
  expect(unconfirmedChanges(edited, A.getHeads(here))).toBe(2);
});

it('counts both sides of a merge of which the server has only a part', () => {
  const other = A.change(A.clone(here), (doc) => void (doc.d = 4));
  const merged = A.merge(A.clone(edited), other);
  expect(unconfirmedChanges(merged, A.getHeads(other))).toBe(2);
  expect(unconfirmedChanges(merged, A.getHeads(edited))).toBe(1);
});

it('returns null before the server confirmed anything, and when it has changes that are missing here', () => {
  expect(unconfirmedChanges(edited, null)).toBeNull();
  const ahead = A.change(A.clone(edited), (doc) => void (doc.e = 5));
  expect(unconfirmedChanges(edited, A.getHeads(ahead))).toBeNull();
});

it('stores confirmed heads across a restart', async () => {
  const first = new ConfirmedHeads(await openDatabase('ann'));
  first.set('doc', ['h1', 'h2']);
  first.set('gone', ['h3']);
  first.forget('gone');
  const database = await openDatabase('ann');
  const second = new ConfirmedHeads(database);
  await vi.waitFor(async () => {
    await second.load(['doc', 'other', 'gone']);
    expect(second.get('doc')).toEqual(['h1', 'h2']);
  });
  expect(second.get('other')).toBeNull();
  expect(second.get('gone')).toBeNull();
});

it('has the journal forget what the server has only when that is stored', async () => {
  const database = await openDatabase('ann');
  let store = () => {};
  const held = new Promise<void>((resolve) => (store = resolve));
  vi.spyOn(database, 'commit').mockReturnValue(held);
  const settle = vi.fn<Settle>();
  const handle = new Repo().create<Record<string, number>>({ start: 0 });
  const confirmations = new Confirmations(new ConfirmedHeads(database), () => {}, { settle });
  confirmations.track(handle);
  const heads = A.getHeads(handle.doc());
  const event = { storageId: 'server' as never, heads: encodeHeads(heads), timestamp: 0 };
  handle.emit('remote-heads', event);
  expect(confirmations.sum().unconfirmed).toBe(0);
  await vi.waitFor(() => expect(database.commit).toHaveBeenCalledOnce());
  expect(settle).not.toHaveBeenCalled();
  store();
  await vi.waitFor(() =>
    expect(settle).toHaveBeenCalledWith(handle.documentId, expect.anything(), heads),
  );
});

/** A tracked document, and what the server has of it. */
function tracked(of = { Confirmations, ConfirmedHeads }) {
  const handle = new Repo().create<Record<string, number>>({ start: 0 });
  const confirmations = new of.Confirmations(new of.ConfirmedHeads(null), () => {});
  confirmations.track(handle);
  let server = A.clone(handle.doc());
  const confirm = () => {
    const heads = encodeHeads(A.getHeads(server));
    handle.emit('remote-heads', { storageId: 'server' as never, heads, timestamp: 0 });
  };
  confirm();
  return {
    count: () => confirmations.sum().unconfirmed,
    edit: (value: number) => handle.change((doc) => void (doc[`k${value % 5}`] = value)),
    /** Another device writes, and this one receives it. */
    receive(value: number) {
      server = A.change(server, (doc) => void (doc[`k${value % 5}`] = value));
      handle.update((doc) => A.merge(doc, server));
    },
    /** The server takes the first of what it lacks. */
    send(share: number) {
      const missing = A.getChanges(server, handle.doc());
      [server] = A.applyChanges(server, missing.slice(0, Math.ceil(share * missing.length)));
      confirm();
    },
    expected: () => A.getChanges(server, handle.doc()).length,
    confirm,
  };
}

it('counts right whatever happens, although it counts only what is new', () => {
  const step = fc.oneof(
    fc.nat().map((value) => ({ is: 'edit', value }) as const),
    fc.nat().map((value) => ({ is: 'receive', value }) as const),
    fc.double({ min: 0, max: 1, noNaN: true }).map((value) => ({ is: 'send', value }) as const),
  );
  fc.assert(
    fc.property(fc.array(fc.tuple(step, fc.boolean()), { maxLength: 20 }), (steps) => {
      const document = tracked();
      for (const [{ is, value }, isShown] of steps) {
        document[is](value);
        if (isShown && is !== 'receive') document.count();
      }
      document.confirm();
      expect(document.count()).toBe(document.expected());
    }),
    { numRuns: 40 },
  );
});

it('reads each new change once, however many wait', async () => {
  // Another file of this process may have loaded them without the spy.
  vi.resetModules();
  const slim = await import('@automerge/automerge/slim');
  const { edit, count } = tracked(
    await import('../../../client/platform/sync/documents/unsynced-changes.ts'),
  );
  count();
  const reading = vi.mocked(slim.getChangesMetaSince).mockClear();
  for (let i = 0; i < 100; i++) {
    edit(i);
    expect(count()).toBe(i + 1);
  }
  const read = reading.mock.results.map(({ value }) => (value as unknown[]).length);
  expect(read.reduce((sum, each) => sum + each, 0)).toBe(100);
});

it('counts what the user did where it is unknown what the server has, also for a logout', () => {
  const handle = new Repo().create<Record<string, number>>({ start: 0 });
  const intentsIn = (id: string) => (id === handle.documentId ? 2 : 0);
  const confirmations = new Confirmations(new ConfirmedHeads(null), () => {}, { intentsIn });
  confirmations.track(handle);
  expect(confirmations.sum()).toMatchObject({ isConfirmed: false, unconfirmed: 2, refused: 0 });
  // The server has changes that are not here.
  const elsewhere = A.change(A.clone(handle.doc()), (doc) => void (doc.a = 1));
  confirmations.heads.set(handle.documentId, A.getHeads(elsewhere));
  expect(confirmations.sum()).toMatchObject({ isConfirmed: false, unconfirmed: 2 });
  confirmations.freeze(handle);
  expect(confirmations.sum()).toMatchObject({
    unconfirmed: 0,
    refused: 2,
    refusal: 'not_yours',
  });
  confirmations.track(handle);
  confirmations.heads.set(handle.documentId, A.getHeads(handle.doc()));
  expect(confirmations.sum()).toMatchObject({ isConfirmed: true, unconfirmed: 0, refused: 0 });
});

it('counts what the server takes nothing of for now as refused, until it does or the document is closed', () => {
  const handle = new Repo().create<Record<string, number>>({ start: 0 });
  const confirmations = new Confirmations(new ConfirmedHeads(null), () => {});
  const confirmed = A.getHeads(handle.doc());
  confirmations.heads.set(handle.documentId, confirmed);
  confirmations.freeze(handle);
  expect(confirmations.sum()).toMatchObject({ isConfirmed: true, refused: 0, refusal: null });
  handle.change((doc) => void (doc.a = 1));
  expect(confirmations.sum()).toMatchObject({
    isConfirmed: true,
    unconfirmed: 0,
    refused: 1,
    refusal: 'not_yours',
  });
  expect(confirmations.counts(handle.documentId)).toBe(true);
  confirmations.track(handle);
  expect(confirmations.sum()).toMatchObject({ isConfirmed: false, unconfirmed: 1, refused: 0 });
  confirmations.freeze(handle);
  confirmations.untrack(handle);
  expect(confirmations.counts(handle.documentId)).toBe(false);
});
