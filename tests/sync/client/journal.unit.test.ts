// @vitest-environment jsdom
import * as A from '@automerge/automerge';
import { Repo } from '@automerge/automerge-repo';
import { beforeEach, expect, test, vi } from 'vitest';
import { documentKinds, type OwnKind } from '#shared/document-kinds.ts';
import type { CardDocument } from '#shared/profile/document.ts';
import { readCard } from '#shared/profile/document.ts';
import { Journal } from '../../../client/platform/sync/journal/journal.ts';
import { OwnIntents, ownChange } from '../../../client/platform/sync/journal/own-intents.ts';
import { carryOut, settleIntents } from '../../../client/platform/sync/journal/replay.ts';
import { recordSharing } from '../../../client/platform/sync/journal/sharing-journal.ts';
import { openDatabase } from '../../../client/platform/sync/storage/local-database.ts';
import { freshIndexedDb } from '../../fresh-indexed-db.ts';

const AT = '2026-11-28T12:00:00.000Z';
const { card } = documentKinds;
const dog = { id: 'rex', name: 'Rex', sound_type: 'leash_on', created_at: AT } as const;
const addDog = (doc: CardDocument) => card.changes['dog.add'].apply(doc, dog);
const onServer = () => A.from({ ...card.initial('ann', AT) }) as A.Doc<CardDocument>;

/** A start of the app. */
async function start(onFailing = (_failing: boolean) => {}) {
  const database = await openDatabase('ann');
  const journal = new Journal({
    database: Promise.resolve(database),
    isClosed: false,
    noteRefusing: (_, failing) => onFailing(failing),
    noteUnreadable() {},
  });
  await journal.load();
  return { database, journal };
}

/** A device on which this state of the document arrived. */
const arrived = (doc: A.Doc<CardDocument>) => new Repo().import<CardDocument>(A.save(doc));
const dogsOf = (doc: A.Doc<CardDocument>) => readCard(doc).dogs.map(({ name }) => name);
const names = ({ journal }: { journal: Journal }) => journal.all().map(([id]) => id);

beforeEach(() => freshIndexedDb());

test('an intent that was not carried out when the app was killed is carried out by the next start', async () => {
  const first = await start();
  first.journal.write('a', { kind: 'card', name: 'dog.add', input: dog });
  await first.journal.flush();
  const next = await start();
  const handle = arrived(onServer());
  carryOut(next.journal, 'a', { handle, kind: 'card', change: addDog });
  expect(dogsOf(handle.doc())).toEqual(['Rex']);
  // Again, as in another tab.
  carryOut(next.journal, 'a', { handle, kind: 'card', change: addDog });
  expect(A.getAllChanges(handle.doc())).toHaveLength(2);
});

test('a change that a lost document had is added to it as it was when the document returns', async () => {
  const first = await start();
  const server = onServer();
  const repo = new Repo();
  const before = repo.import<CardDocument>(A.save(server));
  first.journal.write('a', { kind: 'card', name: 'dog.add', input: dog });
  carryOut(first.journal, 'a', { handle: before, kind: 'card', change: addDog });
  await first.journal.flush();
  const next = await start();
  const docId = before.documentId;
  const returned = new Repo().import<CardDocument>(A.save(server), { docId });
  carryOut(next.journal, 'a', { handle: returned, kind: 'card', change: addDog });
  expect(A.getHeads(returned.doc())).toEqual(A.getHeads(before.doc()));
});

test('leaves the journal only when the server has the change', async () => {
  const app = await start();
  const handle = arrived(onServer());
  const before = A.getHeads(handle.doc());
  app.journal.write('a', { kind: 'card', name: 'dog.add', input: dog });
  carryOut(app.journal, 'a', { handle, kind: 'card', change: addDog });
  settleIntents(app.journal, handle.documentId, handle.doc(), null);
  settleIntents(app.journal, handle.documentId, handle.doc(), before);
  expect(names(app)).toEqual(['a']);
  settleIntents(app.journal, handle.documentId, handle.doc(), A.getHeads(handle.doc()));
  expect(names(app)).toEqual([]);
  await app.journal.flush();
  expect(names(await start())).toEqual([]);
});

test('says that the browser refuses to store an intent, keeps it, and stores it later', async () => {
  const said: boolean[] = [];
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  vi.spyOn(console, 'warn').mockReturnValue();
  const app = await start((failing) => said.push(failing));
  vi.spyOn(app.database, 'commit').mockRejectedValueOnce(
    new DOMException('', 'QuotaExceededError'),
  );
  app.journal.write('a', { kind: 'card', name: 'dog.add', input: dog });
  expect(await app.journal.flush()).toBe(false);
  expect(said).toEqual([true]);
  await vi.advanceTimersByTimeAsync(6_000);
  vi.useRealTimers();
  expect(await app.journal.flush()).toBe(true);
  expect(said).toEqual([true, false]);
  expect(names(await start())).toEqual(['a']);
  vi.restoreAllMocks();
});

test('returns intents in the order in which they were written, also when the clock was set back', async () => {
  const { journal } = await start();
  vi.spyOn(Date, 'now').mockReturnValueOnce(2_000).mockReturnValueOnce(1_000);
  for (const id of ['later', 'earlier'])
    journal.write(id, { kind: 'card', name: 'dog.remove', input: { id: 'rex' } });
  expect(names({ journal })).toEqual(['later', 'earlier']);
  vi.restoreAllMocks();
});

test('counts what is in no open document, whatever becomes of the intents', async () => {
  const { journal } = await start();
  const write = (id: string) =>
    journal.write(id, { kind: 'card', name: 'dog.remove', input: { id: 'rex' } });
  for (const id of ['a', 'b', 'c', 'd']) write(id);
  const loose = (open: string[]) => journal.loose((id) => open.includes(id));
  const made = (id: string, documentId: string) =>
    journal.noteMade(id, { documentId, heads: [id], change: null });
  expect(loose(['one'])).toEqual({ waiting: 4, leftOut: 0 });
  made('a', 'one');
  made('b', 'two');
  journal.leaveOut('c');
  expect(loose(['one'])).toEqual({ waiting: 2, leftOut: 1 });
  // Its document was replaced.
  made('a', 'two');
  expect(journal.countIn('one')).toBe(0);
  expect(loose(['one'])).toEqual({ waiting: 3, leftOut: 1 });
  journal.settle('two', (heads) => heads[0] === 'b');
  // Written again.
  write('a');
  expect(journal.countIn('two')).toBe(0);
  expect(loose(['two'])).toEqual({ waiting: 2, leftOut: 1 });
  journal.remove('c');
  await journal.flush();
  const next = await start();
  expect(next.journal.loose(() => true)).toEqual({ waiting: 2, leftOut: 0 });
});

test('what cannot be read at first is read later, and nothing counts as saved until then', async () => {
  const first = await start();
  first.journal.write('a', { kind: 'card', name: 'dog.add', input: dog });
  await first.journal.flush();
  vi.useFakeTimers({ toFake: ['setTimeout', 'Date'] });
  const warn = vi.spyOn(console, 'warn').mockReturnValue();
  let fails = true;
  const database = {
    read: (...given: Parameters<typeof first.database.read>) =>
      fails ? Promise.reject(new Error('an aborted transaction')) : first.database.read(...given),
  } as typeof first.database;
  const onReadLate = vi.fn<() => void>();
  const journal = new Journal(
    {
      database: Promise.resolve(database),
      isClosed: false,
      noteRefusing() {},
      noteUnreadable() {},
    },
    () => {},
    onReadLate,
  );
  await journal.load();
  // What is done meanwhile is newer, whatever is read later.
  vi.advanceTimersByTime(10);
  journal.write('b', { kind: 'card', name: 'dog.add', input: { ...dog, name: 'Max' } });
  journal.noteMade('b', { documentId: 'card', heads: ['newer'], change: null });
  expect([journal.isRead, names({ journal })]).toEqual([false, ['b']]);
  fails = false;
  vi.advanceTimersByTime(10_000);
  vi.useRealTimers();
  await vi.waitFor(() => expect([journal.isRead, names({ journal })]).toEqual([true, ['a', 'b']]));
  expect(onReadLate).toHaveBeenCalledOnce();
  expect([journal.takeAgain('a'), journal.takeAgain('b'), journal.takeAgain('b')]).toEqual([
    false,
    true,
    false,
  ]);
  expect(journal.get('b')?.made).toBeUndefined();
  warn.mockRestore();
});

test('takes over what another tab wrote after this one began, and not what the server has by now', async () => {
  const tab = await start();
  const other = await start();
  other.journal.write('a', { kind: 'card', name: 'dog.add', input: dog });
  other.journal.write('b', { kind: 'card', name: 'profile.about', input: { about: 'Walks' } });
  await other.journal.flush();
  await tab.journal.readAgain();
  expect(names(tab)).toEqual(['a', 'b']);
  expect(tab.journal.loose(() => true).waiting).toBe(2);
  tab.journal.remove('a');
  // The removal is not on the disk yet.
  await tab.journal.readAgain();
  expect(names(tab)).toEqual(['b']);
});

test('an older intent of a document that was replaced, read late, does not come last', async () => {
  const former = arrived(onServer());
  const fresh = arrived(onServer());
  const other = await start();
  const database = Promise.resolve(await openDatabase('ann'));
  const host = { database, isClosed: false, noteRefusing() {}, noteUnreadable() {} };
  const isLeft = (id: string) => id === former.documentId;
  const tab = new Journal(host, undefined, undefined, isLeft);
  await tab.load();
  const inOther = new OwnIntents('ann', other.journal);
  const inTab = new OwnIntents('ann', tab);
  const about = (text: string) => ownChange('card', 'profile.about', { about: text });
  inOther.write(about('Older'));
  inOther.carryOut(carryOut, () => former);
  await other.journal.flush();
  vi.spyOn(Date, 'now').mockReturnValue(Date.now() + 1_000);
  inTab.write(about('Newer'));
  inTab.carryOut(carryOut, () => fresh);
  vi.restoreAllMocks();
  await tab.readAgain();
  inTab.carryOut(carryOut, () => fresh);
  expect(readCard(fresh.doc()).about).toBe('Newer');
});

test('what was made in a document that is not shown yet waits for it', async () => {
  const former = arrived(onServer());
  const fresh = arrived(onServer());
  const { journal } = await start();
  const intents = new OwnIntents('ann', journal);
  const id = intents.write(ownChange('card', 'profile.about', { about: 'Walks' }));
  intents.carryOut(carryOut, () => fresh, id);
  const made = journal.get(id)?.made;
  const next = new OwnIntents('ann', journal);
  const shown = (_kind: OwnKind, madeIn?: string) => (madeIn === fresh.documentId ? null : former);
  next.carryOut(carryOut, shown);
  expect(journal.get(id)?.made).toEqual(made);
  expect(readCard(former.doc()).about).toBeNull();
});

test('a decision about sharing of a page that is gone is in the journal, too', async () => {
  recordSharing('ann', false);
  const { journal } = await start();
  const account = new Repo().import<object>(
    A.save(A.from({ ...documentKinds.account.initial('ann'), is_location_sharing_enabled: true })),
  );
  new OwnIntents('ann', journal).carryOut(carryOut, (kind) =>
    kind === 'account' ? account : null,
  );
  expect(account.doc()).toMatchObject({ is_location_sharing_enabled: false });
  const input = { is_location_sharing_enabled: false };
  const made = { documentId: account.documentId };
  expect(journal.all()).toMatchObject([
    [expect.any(String), { name: 'sharing.save', input, made }],
  ]);
});

test('looks for what other tabs wrote when it becomes visible', async () => {
  const tab = await start();
  const other = await start();
  other.journal.write('a', { kind: 'card', name: 'dog.add', input: dog });
  await other.journal.flush();
  document.dispatchEvent(new Event('visibilitychange', { bubbles: true }));
  await vi.waitFor(() => expect(names(tab)).toEqual(['a']));
});
