import { forceCloseDatabase } from 'fake-indexeddb';
import { beforeEach, expect, test, vi } from 'vitest';
import { openDatabase } from '../../../client/platform/sync/storage/local-database.ts';
import { freshIndexedDb } from '../../fresh-indexed-db.ts';

/** Browsers delete `localStorage` separately. */
let local: Map<string, string>;

beforeEach(() => {
  freshIndexedDb();
  local = new Map();
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => local.get(key) ?? null,
    setItem: (key: string, value: string) => local.set(key, value),
    removeItem: (key: string) => local.delete(key),
  });
});

async function startsWithLoss(): Promise<boolean> {
  let isLost = false;
  const database = await openDatabase('ann', { onLost: () => (isLost = true) });
  database.close();
  return isLost;
}

test('the next start says that the browser deleted what was stored', async () => {
  expect(await startsWithLoss()).toBe(false);
  expect(await startsWithLoss()).toBe(false);
  freshIndexedDb();
  expect(await startsWithLoss()).toBe(true);
  expect(await startsWithLoss()).toBe(false);
});

test('every tab says that the browser deleted what was stored, also after another one stored something again', async () => {
  const connections: IDBDatabase[] = [];
  const { open } = indexedDB;
  indexedDB.open = (...given) => {
    const request = open.apply(indexedDB, given);
    request.addEventListener('success', () => void connections.push(request.result));
    return request;
  };
  const lost = new Set<string>();
  const openTab = (tab: string) => openDatabase('ann', { onLost: () => void lost.add(tab) });
  const first = await openTab('first');
  const second = await openTab('second');
  expect(lost.size).toBe(0);
  freshIndexedDb();
  const third = await openTab('third');
  expect([...lost]).toEqual(['third']);
  for (const connection of connections) forceCloseDatabase(connection as never);
  // Without anything else that it does.
  await vi.waitFor(() => expect([...lost].toSorted()).toEqual(['first', 'second', 'third']));
  for (const tab of [first, second, third]) tab.close();
});

test('nothing is lost on a device that never stored anything', async () => {
  await startsWithLoss();
  freshIndexedDb();
  local.clear();
  expect(await startsWithLoss()).toBe(false);
});
