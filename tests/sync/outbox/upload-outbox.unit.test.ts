import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { StoredPicture } from '../../../client/platform/sync/outbox/upload-outbox.ts';
import { openDatabase } from '../../../client/platform/sync/storage/local-database.ts';
import { oneTabAtATime } from '../../../client/platform/sync/tabs/tab-coordination.ts';
import { PictureServer } from './picture-tabs.ts';

let server: PictureServer;

beforeEach(() => {
  server = new PictureServer();
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

test('sends what was added while another tab was sending, once that has ended, although nothing else happens', async () => {
  let end = () => {};
  const otherTab = oneTabAtATime('pictures-ann', () => new Promise((resolve) => (end = resolve)));
  const { pictures } = server.openTab();
  server.connection = 'connected';
  await pictures.add('rex');
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(server.uploads).toEqual([]);
  end();
  await otherTab;
  await vi.waitFor(() => expect(server.uploads).toEqual(['rex jpeg']));
});

/** Two tabs, of which the second has read the picture that the first added. */
async function openTwo() {
  const one = server.openTab();
  await one.pictures.add('rex', 'old');
  await one.pictures.whenStored('rex');
  const two = server.openTab();
  await vi.waitFor(() => expect(two.pictures.getUnsentCount()).toBe(1));
  return [one, two] as const;
}

test('two tabs send a picture once, and neither keeps it', async () => {
  const [one, two] = await openTwo();
  await server.connect(one, two);
  expect(server.uploads).toEqual(['rex old']);
  const stored = server.openTab();
  await stored.look();
  expect([one, two, stored].map(({ pictures }) => pictures.getPictures().size)).toEqual([0, 0, 0]);
});

test('no tab sends a picture that another has replaced', async () => {
  const [one, two] = await openTwo();
  await one.pictures.add('rex', 'new');
  await one.pictures.whenStored('rex');
  await server.connect(two, one);
  expect(server.uploads).toEqual(['rex new']);
});

test('a picture that takes too long lets others go', async () => {
  const tab = server.openTab();
  await tab.pictures.add('big');
  await tab.pictures.add('small');
  tab.pictures.failureOf = (id) => (id === 'big' ? new DOMException('', 'TimeoutError') : null);
  await server.connect(tab);
  expect(server.uploads).toEqual(['small jpeg']);
});

test('a picture that the document shows before its upload is answered leaves this device', async () => {
  const tab = server.openTab();
  await tab.pictures.add('rex');
  const database = await openDatabase('ann');
  const rows: StoredPicture[] = await database.read('pictures', (store) => store.getAll());
  server.answers.set(rows[0]!.idempotencyKey, 'K1');
  server.imageKey = 'K1';
  await server.connect(tab);
  expect(server.uploads).toEqual(['rex jpeg']);
  expect(tab.pictures.getPictures().size).toBe(0);
});

test('a picture that was sent is sent again after a reconnect, as the server may have been restored from a backup', async () => {
  const tab = server.openTab();
  await tab.pictures.add('rex');
  server.isNoting = false;
  await server.connect(tab);
  expect(server.uploads).toHaveLength(1);
  expect(tab.pictures.getUnsentCount()).toBe(0);
  server.connection = 'offline';
  await tab.look();
  expect(tab.pictures.getUnsentCount()).toBe(1);
  server.answers.clear();
  server.isNoting = true;
  await server.connect(tab);
  expect(server.uploads).toHaveLength(2);
  expect(tab.pictures.getPictures().size).toBe(0);
});
