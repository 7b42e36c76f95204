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

test('nothing is lost on a device that never stored anything', async () => {
  await startsWithLoss();
  freshIndexedDb();
  local.clear();
  expect(await startsWithLoss()).toBe(false);
});
