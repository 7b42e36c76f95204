// @vitest-environment jsdom
import * as A from '@automerge/automerge';
import {
  parseAutomergeUrl,
  Repo,
  type AutomergeUrl,
  type DocHandle,
} from '@automerge/automerge-repo';
import { beforeEach, expect, test } from 'vitest';
import { prefixOf } from '../../../client/platform/storage-keys.ts';
import {
  OwnDocuments,
  type OwnUrls,
} from '../../../client/platform/sync/documents/own-documents.ts';
import {
  ConfirmedHeads,
  Confirmations,
} from '../../../client/platform/sync/documents/unsynced-changes.ts';
import { Journal } from '../../../client/platform/sync/journal/journal.ts';
import { carryOut } from '../../../client/platform/sync/journal/replay.ts';
import { former, fresh, idOf, ownDocuments, someTasks } from './replaced-document.ts';

interface Account {
  kind: string;
  radius: number;
  sound: string;
}

const AT_FIRST: Account = { kind: 'account', radius: 500, sound: 'bell' };
const NEWER = { radius: 150, sound: 'chime' };

/** A tab with a former account document, and the one that replaced it, in which other devices wrote newer values. */
function newTab(of: A.Doc<Account>, host: object = {}) {
  const repo = new Repo();
  const confirmations = new Confirmations(new ConfirmedHeads(null), () => {});
  const journal = new Journal({
    database: Promise.resolve(null),
    isClosed: false,
    noteRefusing() {},
    noteUnreadable() {},
  });
  const newer = A.from({ ...AT_FIRST, ...NEWER });
  const handles = {
    former: repo.import<Account>(A.save(of), { docId: idOf(former) }),
    fresh: repo.import<Account>(A.save(newer), { docId: idOf(fresh) }),
  };
  const missing = new Set<string>();
  const parts = { repo, confirmations, journal };
  const own = ownDocuments(parts, urlsOf(fresh, [former]), { missing, ...host });
  return {
    own,
    journal,
    missing,
    ...handles,
    /** The server says what it has of the former document. */
    async compare(heads: A.Heads) {
      confirmations.heads.set(idOf(former), heads);
      own.noteCompared(idOf(former));
      await someTasks();
    },
    /** The server can't read the former document, of which it confirmed something before. */
    async refuse(heads: A.Heads) {
      confirmations.heads.set(idOf(former), heads);
      own.noteUnavailable(idOf(former));
      await someTasks();
    },
  };
}

const urlsOf = (account: AutomergeUrl, replaced: AutomergeUrl[]): OwnUrls => ({
  documents: { card: account, account, contacts: account },
  former_documents: { card: [], account: replaced, contacts: [] },
});

/** A tab that shows its documents. */
async function openTab(of: A.Doc<Account>) {
  const tab = newTab(of);
  await tab.own.open('account');
  return tab;
}

beforeEach(() => localStorage.clear());

/** The user sets the radius. */
function act(journal: Journal, handle: DocHandle<Account>, radius: number): void {
  journal.write('intent', { kind: 'account', name: 'settings.save', input: { radius } });
  const change = (doc: Account) => void (doc.radius = radius);
  carryOut(journal, 'intent', { handle, kind: null, change });
}

/** What is stored of replaced documents. */
const movesOf = (userId: string): unknown =>
  JSON.parse(localStorage.getItem(`${prefixOf(userId)}document-moves`) ?? 'null');

/** A document of which this device has all but the last change. */
function withoutLast() {
  const here = A.change(A.from({ ...AT_FIRST }), (doc) => void (doc.radius = 250));
  return { here, onServer: A.change(A.clone(here), (doc) => void (doc.sound = 'gong')) };
}

test('what the server has of a former document is in the journal no more when the new one is shown', async () => {
  const tab = await openTab(A.from({ ...AT_FIRST }));
  act(tab.journal, tab.former, 250);
  await tab.compare(A.getHeads(tab.former.doc()));
  // At once: storing what was confirmed takes longer.
  expect([...tab.own.settle()]).toEqual([idOf(former)]);
  expect(tab.journal.all()).toEqual([]);
  expect(tab.fresh.doc()).toMatchObject(NEWER);
});

test('what the server lacks of a former document is done again in the new one', async () => {
  const tab = await openTab(A.from({ ...AT_FIRST }));
  const before = A.getHeads(tab.former.doc());
  act(tab.journal, tab.former, 250);
  await tab.compare(before);
  expect([...tab.own.settle()]).toEqual([idOf(former)]);
  expect(tab.journal.all()).toMatchObject([['intent', { made: { documentId: idOf(former) } }]]);
});

test('a former document is shown until all that the server has of it is here', async () => {
  const { here, onServer } = withoutLast();
  const tab = await openTab(here);
  await tab.compare(A.getHeads(onServer));
  expect([...tab.own.settle()]).toEqual([]);
  tab.former.update((doc) => A.merge(doc, onServer));
  expect([...tab.own.settle()]).toEqual([idOf(former)]);
  expect(tab.fresh.doc()).toMatchObject(NEWER);
});

test('a former document that the server cannot read is shown no longer, although something of it is not here', async () => {
  const { here, onServer } = withoutLast();
  const tab = await openTab(here);
  await tab.refuse(A.getHeads(onServer));
  expect([...tab.own.settle()]).toEqual([idOf(former)]);
  expect(tab.fresh.doc()).toMatchObject(NEWER);
});

test('a former document that the server has no more undoes nothing, although something of it is not here', async () => {
  const { here, onServer } = withoutLast();
  const tab = await openTab(here);
  await tab.compare(A.getHeads(onServer));
  tab.missing.add(idOf(former));
  expect([...tab.own.settle()]).toEqual([idOf(former)]);
  expect(tab.fresh.doc()).toMatchObject(NEWER);
  await someTasks();
  // Another tab, which may have more in its journal, does it itself.
  expect(movesOf('ann')).toHaveProperty('done', {});
});

test('a tab that follows later does not do again what another one did, over newer values', async () => {
  const first = A.from({ ...AT_FIRST });
  const edited = A.change(A.clone(first), (doc) => void (doc.sound = 'gong'));
  const tabs = [await openTab(edited), await openTab(edited)] as const;
  for (const { journal, former: handle } of tabs) act(journal, handle, 250);
  const [tab, later] = tabs;
  later.former.update((doc) => A.merge(doc, tab.former.doc()));
  for (const each of tabs) await each.compare(A.getHeads(first));
  expect([...tab.own.settle()]).toEqual([idOf(former)]);
  await someTasks();
  expect(tab.fresh.doc()).toMatchObject({ sound: 'gong' });
  expect(movesOf('ann')).toMatchObject({ done: { [idOf(former)]: [expect.any(String)] } });
  expect([...later.own.settle()]).toEqual([idOf(former)]);
  expect(later.fresh.doc()).toMatchObject(NEWER);
});

test('a document that the server names while its predecessors are looked for is followed', async () => {
  let answer = () => {};
  const read = new Promise<[]>((resolve) => (answer = () => resolve([])));
  const tab = newTab(A.from({ ...AT_FIRST }), {
    restored: null,
    database: { chunks: { loadRange: () => read } },
  });
  const opening = tab.own.open('account');
  const { url, documentId } = new Repo().create();
  tab.own.moveTo(urlsOf(url, [former, fresh]));
  answer();
  await opening;
  expect(tab.own.isFormer(idOf(fresh))).toBe(true);
  expect(tab.own.isAwaited(documentId)).toBe(true);
});

test('changes of contacts, which devices never send, do not count as unsent', async () => {
  const repo = new Repo();
  const heads = new ConfirmedHeads(null);
  const confirmations = new Confirmations(heads, () => {});
  const made = () => repo.import<object>(A.save(A.from({ people: {} })));
  const documents = { card: made().url, account: made().url, contacts: made().url };
  // The server was restored from a backup, and has nothing of them.
  for (const url of Object.values(documents)) heads.set(parseAutomergeUrl(url).documentId, []);
  const own = new OwnDocuments(
    {
      repo,
      confirmations,
      tabs: { share() {} },
      database: null,
      restored: null,
      missing: new Set(),
      onChange() {},
    } as unknown as ConstructorParameters<typeof OwnDocuments>[0],
    { documents },
  );
  await own.open('contacts');
  expect(confirmations.sum()).toMatchObject({ unconfirmed: 0, isConfirmed: true });
  await own.open('account');
  expect(confirmations.sum()).toMatchObject({ unconfirmed: 1, isConfirmed: false });
});
