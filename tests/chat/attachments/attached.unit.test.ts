import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { AttachedFiles } from '../../../client/features/chat/composer/attached.ts';
import type { UserDocuments } from '../../../client/platform/sync/documents/user-documents.ts';
import { openDatabase } from '../../../client/platform/sync/storage/local-database.ts';
import { freshIndexedDb } from '../../fresh-indexed-db.ts';

const photo = (words: string, size = 5) => ({
  file: new File([words.padEnd(size)], 'a.jpg', { type: 'image/jpeg' }),
  width: 3,
  height: 2,
});

let tabs: Tab[] = [];
/** A tab of the same user. */
class Tab {
  readonly userId = 'ann';
  readonly database = openDatabase('ann');
  isClosed = false;
  readonly #listeners = new Set<() => void>();
  #contacts: { status: string; doc: unknown } = { status: 'loading', doc: null };

  constructor() {
    tabs.push(this);
  }
  subscribe = (listener: () => void) => this.#listeners.add(listener);
  noteRefusing() {}
  noteUnreadable() {}
  getDocument = () => this.#contacts;
  readonly files = new AttachedFiles(this as unknown as UserDocuments);

  /** The user has no friends. */
  loseFriends() {
    this.#contacts = { status: 'ready', doc: { people: {} } };
    for (const listener of this.#listeners) listener();
  }

  close() {
    this.isClosed = true;
    for (const listener of this.#listeners) listener();
  }

  add = (words: string, size?: number) =>
    this.files.change('bo', (before) => ({
      ...before,
      photos: [...before.photos, photo(words, size)],
    }));
  texts = () =>
    Promise.all(this.files.of('bo').photos.map(async ({ file }) => (await file.text()).trim()));
}

beforeEach(() => freshIndexedDb());
afterEach(() => {
  for (const tab of tabs) tab.close();
  tabs = [];
});

test('photos and a voice note are there again after the app was ended', async () => {
  const before = new Tab();
  await before.add('one');
  await before.add('two');
  const voice = { file: new Blob(['note'], { type: 'audio/mp4' }), seconds: 7 };
  await before.files.change('bo', (all) => ({ ...all, voice }));
  before.close();
  const after = new Tab();
  await vi.waitFor(() => expect(after.files.getKeptCount()).toBe(3));
  expect(await after.texts()).toEqual(['one', 'two']);
  expect(after.files.of('bo').photos[0]).toMatchObject({ width: 3, height: 2 });
  expect(after.files.of('bo').voice).toMatchObject({ seconds: 7, file: { type: 'audio/mp4' } });
});

test('what is attached before the stored files are read comes after them', async () => {
  const before = new Tab();
  await before.add('one');
  before.close();
  const after = new Tab();
  await after.add('two');
  await vi.waitFor(async () => expect(await after.texts()).toEqual(['one', 'two']));
});

test('what one tab sends or attaches is so in the other', async () => {
  const [one, two] = [new Tab(), new Tab()];
  await one.add('one');
  await vi.waitFor(async () => expect(await two.texts()).toEqual(['one']));
  await two.add('two');
  await vi.waitFor(async () => expect(await one.texts()).toEqual(['one', 'two']));
  await one.files.change('bo', (all) => ({ ...all, photos: [] }));
  await vi.waitFor(async () => expect(await two.texts()).toEqual([]));
});

test('what one tab attaches while the other sends stays attached, and what was sent does not come back', async () => {
  const [one, two] = [new Tab(), new Tab()];
  await one.add('one');
  await vi.waitFor(async () => expect(await two.texts()).toEqual(['one']));
  // Neither knows of the other.
  await Promise.all([
    two.add('two'),
    one.files.change('bo', (all) => ({ ...all, photos: [] }), Promise.resolve(true)),
  ]);
  for (const tab of [one, two])
    await vi.waitFor(async () => expect(await tab.texts()).toEqual(['two']));
  const next = new Tab();
  await vi.waitFor(async () => expect(await next.texts()).toEqual(['two']));
});

test('a voice note of each tab is there until it is sent or removed', async () => {
  const [one, two] = [new Tab(), new Tab()];
  const record = (tab: Tab, seconds: number) =>
    tab.files.change('bo', (all) => ({ ...all, voice: { file: new Blob(['note']), seconds } }));
  await record(one, 7);
  await vi.waitFor(() => expect(two.files.of('bo').voice).toMatchObject({ seconds: 7 }));
  await record(two, 8);
  await vi.waitFor(() => expect(one.files.of('bo').voice).toMatchObject({ seconds: 8 }));
  await one.files.change('bo', (all) => ({ ...all, voice: null }));
  for (const tab of [one, two])
    await vi.waitFor(() => expect(tab.files.of('bo').voice).toMatchObject({ seconds: 7 }));
});

test('a sent photo stays on the disk until its message has it', async () => {
  const tab = new Tab();
  await tab.add('one');
  let hasStored = (_stored: boolean) => {};
  const storing = new Promise<boolean>((resolve) => (hasStored = resolve));
  const removed = tab.files.change('bo', (all) => ({ ...all, photos: [] }), storing);
  expect(await tab.texts()).toEqual([]);
  const killed = new Tab();
  await vi.waitFor(() => expect(killed.files.getKeptCount()).toBe(1));
  hasStored(true);
  await removed;
  await vi.waitFor(() => expect(killed.files.getKeptCount()).toBe(0));
  const next = new Tab();
  await vi.waitFor(() => expect(next.files.getKeptCount()).toBe(0));
});

test('a sent photo that its message could not be stored with stays on the disk', async () => {
  const tab = new Tab();
  await tab.add('one');
  await tab.files.change('bo', (all) => ({ ...all, photos: [] }), Promise.resolve(false));
  expect(await tab.texts()).toEqual([]);
  const next = new Tab();
  await vi.waitFor(async () => expect(await next.texts()).toEqual(['one']));
});

test('all together has bounds, and what is for a former friend goes', async () => {
  const tab = new Tab();
  await tab.add('large', 40 * 1024 * 1024);
  expect(tab.files.hasRoomFor(photo('x', 30 * 1024 * 1024).file)).toBe(false);
  expect(tab.files.hasRoomFor(photo('x', 10 * 1024 * 1024).file)).toBe(true);
  tab.loseFriends();
  await vi.waitFor(() => expect(tab.files.getKeptCount()).toBe(0));
});
