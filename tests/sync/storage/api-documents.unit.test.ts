// @vitest-environment jsdom
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { ApiDocuments } from '../../../client/platform/sync/documents/api-documents.ts';
import { Journal } from '../../../client/platform/sync/journal/journal.ts';
import { OwnIntents, ownChange } from '../../../client/platform/sync/journal/own-intents.ts';
import { openDatabase } from '../../../client/platform/sync/storage/local-database.ts';
import { freshIndexedDb } from '../../fresh-indexed-db.ts';

const dog = {
  id: 'rex',
  name: 'Rex',
  sound_type: 'leash_on',
  created_at: '2026-11-28T12:00:00.000Z',
} as const;

beforeEach(() => {
  freshIndexedDb();
  localStorage.clear();
  vi.spyOn(console, 'error').mockReturnValue();
  onTestFinished(() => {
    vi.unstubAllGlobals();
    vi.restoreAllMocks();
  });
});

/** A start of the app where documents can't be opened. */
async function start() {
  const database = Promise.resolve(await openDatabase('ann'));
  const journal = new Journal({
    database,
    isClosed: false,
    noteRefusing() {},
    noteUnreadable() {},
  });
  await journal.load();
  const intents = new OwnIntents('ann', journal);
  const api = new ApiDocuments('ann', () => {});
  onTestFinished(() => api.close());
  return { journal, intents, api };
}

test('what waits for the API outlasts a start of the app, and is sent under the same key', async () => {
  const keys: (string | null)[] = [];
  const stubFetch = (answers: boolean) =>
    vi.stubGlobal('fetch', async (url: string, { method, headers }: RequestInit = {}) => {
      if (method === 'POST') keys.push(new Headers(headers).get('idempotency-key'));
      if (!answers) throw new TypeError('Failed to fetch');
      return method === 'POST'
        ? Response.json({ dog: { ...dog, notes: [] } }, { status: 201 })
        : Response.json({ error: 'Not found', code: 'not_found' }, { status: 404 });
    });
  stubFetch(false);
  const first = await start();
  first.intents.write(ownChange('card', 'dog.add', dog));
  first.intents.handOver(first.api);
  // The list is handed over again when documents still can't be opened.
  first.intents.handOver(first.api);
  expect(first.api.unsaved).toBe(1);
  await vi.waitFor(() => expect(keys).toHaveLength(1));
  await first.journal.flush();
  first.api.close();

  stubFetch(true);
  const next = await start();
  next.intents.handOver(next.api);
  await vi.waitFor(() => expect(next.api.unsaved).toBe(0));
  expect(keys).toEqual([keys[0], keys[0]]);
  expect(keys[0]).not.toBeNull();
  await next.journal.flush();
  expect((await start()).journal.all()).toEqual([]);
});
