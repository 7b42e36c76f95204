// @vitest-environment jsdom
import * as A from '@automerge/automerge';
import { parseAutomergeUrl, Repo, type DocHandle } from '@automerge/automerge-repo';
import { expect, test } from 'vitest';
import { nextTask } from '../../../client/platform/scheduling/next-task.ts';
import { OwnDocuments } from '../../../client/platform/sync/documents/own-documents.ts';
import {
  ConfirmedHeads,
  Confirmations,
} from '../../../client/platform/sync/documents/unsynced-changes.ts';
import { Journal } from '../../../client/platform/sync/journal/journal.ts';
import { carryOut } from '../../../client/platform/sync/journal/replay.ts';

interface Account {
  kind: string;
  radius: number;
  sound: string;
}

const AT_FIRST: Account = { kind: 'account', radius: 500, sound: 'bell' };
const NEWER = { radius: 150, sound: 'chime' };

/** A device with a former account document, and the one that replaced it, in which other devices wrote newer values. */
async function withFormer(of: A.Doc<Account>) {
  const repo = new Repo();
  const confirmations = new Confirmations(new ConfirmedHeads(null), () => {});
  const journal = new Journal({
    database: Promise.resolve(null),
    isClosed: false,
    noteRefusing() {},
    noteUnreadable() {},
  });
  const former = repo.import<Account>(A.save(of));
  const fresh = repo.import<Account>(A.save(A.from({ ...AT_FIRST, ...NEWER })));
  const { url } = repo.import<object>(A.save(A.from({})));
  const own = new OwnDocuments(
    {
      userId: 'ann',
      repo,
      confirmations,
      journal,
      tabs: { share() {}, unshare() {} },
      removals: { has: () => false, remove() {} },
      database: null,
      restored: { documentIds: [former.documentId] },
      missing: new Set(),
      damaged: new Set(),
      leftOut: new Set(),
      onChange() {},
    } as unknown as ConstructorParameters<typeof OwnDocuments>[0],
    {
      documents: { card: url, account: fresh.url, contacts: url },
      former_documents: { card: [], account: [former.url], contacts: [] },
    },
  );
  await own.open('account');
  return {
    own,
    journal,
    former,
    fresh,
    /** The server says what it has of the former document. */
    async compare(heads: A.Heads) {
      confirmations.heads.set(former.documentId, heads);
      own.noteCompared(former.documentId);
      await nextTask();
      await nextTask();
    },
  };
}

/** The user sets the radius. */
function act(journal: Journal, handle: DocHandle<Account>, radius: number): void {
  journal.write('intent', { kind: 'account', name: 'settings.save', input: { radius } });
  const change = (doc: Account) => void (doc.radius = radius);
  carryOut(journal, 'intent', { handle, kind: null, change });
}

test('what the server has of a former document is in the journal no more when the new one is shown', async () => {
  const { own, journal, former, fresh, compare } = await withFormer(A.from({ ...AT_FIRST }));
  act(journal, former, 250);
  await compare(A.getHeads(former.doc()));
  // At once: storing what was confirmed takes longer.
  expect([...own.settle()]).toEqual([former.documentId]);
  expect(journal.all()).toEqual([]);
  expect(fresh.doc()).toMatchObject(NEWER);
});

test('what the server lacks of a former document is done again in the new one', async () => {
  const { own, journal, former, compare } = await withFormer(A.from({ ...AT_FIRST }));
  const before = A.getHeads(former.doc());
  act(journal, former, 250);
  await compare(before);
  expect([...own.settle()]).toEqual([former.documentId]);
  expect(journal.all()).toMatchObject([['intent', { made: { documentId: former.documentId } }]]);
});

test('a former document is shown until all that the server has of it is here', async () => {
  const first = A.from({ ...AT_FIRST });
  const here = A.change(A.clone(first), (doc) => void (doc.radius = 250));
  const onServer = A.change(A.clone(here), (doc) => void (doc.sound = 'gong'));
  const { own, former, fresh, compare } = await withFormer(here);
  await compare(A.getHeads(onServer));
  expect([...own.settle()]).toEqual([]);
  former.update((doc) => A.merge(doc, onServer));
  expect([...own.settle()]).toEqual([former.documentId]);
  expect(fresh.doc()).toMatchObject(NEWER);
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
