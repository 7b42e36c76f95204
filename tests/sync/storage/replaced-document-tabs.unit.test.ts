// @vitest-environment jsdom
import * as A from '@automerge/automerge';
import { Repo } from '@automerge/automerge-repo';
import { beforeEach, expect, test } from 'vitest';
import { documentKinds, type OwnKind } from '#shared/document-kinds.ts';
import { readCard, type CardDocument } from '#shared/profile/document.ts';
import {
  ConfirmedHeads,
  Confirmations,
} from '../../../client/platform/sync/documents/unsynced-changes.ts';
import { Journal } from '../../../client/platform/sync/journal/journal.ts';
import { OwnIntents, ownChange } from '../../../client/platform/sync/journal/own-intents.ts';
import { carryOut, settleIntents } from '../../../client/platform/sync/journal/replay.ts';
import { openDatabase } from '../../../client/platform/sync/storage/local-database.ts';
import { freshIndexedDb } from '../../fresh-indexed-db.ts';
import { former, fresh, idOf, ownDocuments, someTasks } from './replaced-document.ts';

const newCard = (): A.Doc<CardDocument> =>
  A.from({ ...documentKinds.card.initial('ann', '2026-11-28T12:00:00.000Z') });
const cards = { former: newCard(), fresh: newCard() };
/** A tab, or a start of the app, which has a card and the one that replaces it. @param card what it has of the latter */
async function newTab(card = cards.fresh) {
  const repo = new Repo();
  const confirmations = new Confirmations(new ConfirmedHeads(null), () => {});
  const database = Promise.resolve(await openDatabase('ann'));
  const journal = new Journal(
    { database, isClosed: false, noteRefusing() {}, noteUnreadable() {} },
    undefined,
    undefined,
    (id) => own.isLeft(id),
  );
  const own = ownDocuments(
    { repo, confirmations, journal },
    {
      documents: { card: fresh, account: fresh, contacts: fresh },
      former_documents: { card: [former], account: [], contacts: [] },
    },
  );
  const handles = {
    former: repo.import<CardDocument>(A.save(cards.former), { docId: idOf(former) }),
    fresh: repo.import<CardDocument>(A.save(card), { docId: idOf(fresh) }),
  };
  const intents = new OwnIntents('ann', journal);
  const handleOf = (kind: OwnKind, madeIn = '') =>
    own.isAwaited(madeIn) ? null : (own.get(kind) ?? null);
  const run = (now?: string) => intents.carryOut(carryOut, handleOf, now);
  await journal.load();
  await own.open('card');
  run();
  return {
    ...handles,
    own,
    journal,
    about: () => readCard(handles.fresh.doc()).about,
    edit(about: string) {
      run(intents.write(ownChange('card', 'profile.about', { about })));
    },
    /** Reads what other tabs wrote, as on a new connection. */
    async reconnect() {
      await journal.readAgain();
      run();
    },
    /** The server says what it has of the former card, and the new one is shown. */
    async move() {
      confirmations.heads.set(idOf(former), A.getHeads(cards.former));
      own.noteCompared(idOf(former));
      await someTasks();
      intents.repeat(own.settle());
      run();
      await someTasks();
    },
    /** The server confirms what is in the new card. */
    confirm() {
      const doc = handles.fresh.doc();
      settleIntents(journal, idOf(fresh), doc, A.getHeads(doc));
    },
  };
}

beforeEach(() => {
  localStorage.clear();
  return freshIndexedDb();
});

/** One tab edits the former card, and another one, whose journal lacks that, moves first. Then the first one edits the new card. */
async function editInTwoTabs() {
  const [background, front] = [await newTab(), await newTab()];
  await background.reconnect();
  front.edit('Old');
  await front.journal.flush();
  background.former.update((doc) => A.merge(doc, front.former.doc()));
  await background.move();
  expect(background.about()).toBe('Old');
  front.fresh.update((doc) => A.merge(doc, background.fresh.doc()));
  await front.move();
  front.confirm();
  front.edit('New');
  front.confirm();
  await front.journal.flush();
  return { background, front };
}

test('an edit that another tab carried over does not return in the tab that made it', async () => {
  const { front } = await editInTwoTabs();
  await front.reconnect();
  expect(front.about()).toBe('New');
  expect(front.journal.loose((id) => id === idOf(fresh))).toEqual({ waiting: 0, leftOut: 0 });
});

test('an edit that was carried over does not return in the tab that did so', async () => {
  const { background, front } = await editInTwoTabs();
  background.fresh.update((doc) => A.merge(doc, front.fresh.doc()));
  await background.reconnect();
  expect(background.about()).toBe('New');
});

test('an edit that was carried over does not return with the next start', async () => {
  const { front } = await editInTwoTabs();
  const next = await newTab(front.fresh.doc());
  expect(next.about()).toBe('New');
});

test('without a network, the next start shows the last edit, although an older app wrote the former card again', async () => {
  const tab = await newTab();
  await tab.move();
  tab.edit('Mine');
  await tab.journal.flush();
  // The change itself had not reached the disk.
  const next = await newTab();
  expect(next.own.get('card')).toBe(next.fresh);
  expect(next.about()).toBe('Mine');
});
