import * as A from '@automerge/automerge';
import { beforeEach, expect, it, vi } from 'vitest';
import {
  ConfirmedHeads,
  unconfirmedChanges,
} from '../../../client/platform/sync/documents/unsynced-changes.ts';
import { openDatabase } from '../../../client/platform/sync/storage/local-database.ts';
import { freshIndexedDb } from '../../fresh-indexed-db.ts';

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
