// @vitest-environment jsdom
import { generateAutomergeUrl, type Repo } from '@automerge/automerge-repo';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Removals } from '../../client/sync/removals.ts';

const url = generateAutomergeUrl();
const id = url.replace('automerge:', '');

/** What a Repo removes, at once and from its storage. */
function fakeRepo() {
  const deleted: string[] = [];
  const removed: string[] = [];
  const repo = {
    delete: (each: string) => deleted.push(each),
    storageSubsystem: { removeDoc: async (each: string) => removed.push(each) },
  };
  return { deleted, removed, repo: repo as unknown as Repo };
}

/** A start of the app. */
const startOf = ({ repo }: { repo: Repo }) => new Removals('ann', repo);

beforeEach(() => {
  vi.useFakeTimers();
  localStorage.clear();
});
afterEach(() => vi.useRealTimers());

test('what goes is removed at once, and once more when no save can come after', async () => {
  const { repo, deleted, removed } = fakeRepo();
  startOf({ repo }).remove(url);
  expect(deleted).toEqual([url]);
  expect(removed).toEqual([]);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(removed).toEqual([id]);
  const next = fakeRepo();
  startOf(next);
  expect(next.removed).toEqual([]);
});

test('cut off in the midst of it, the next start removes it', async () => {
  const first = fakeRepo();
  const removals = startOf(first);
  removals.remove(url);
  removals.close();
  await vi.advanceTimersByTimeAsync(1_000);
  expect(first.removed).toEqual([]);
  const next = fakeRepo();
  startOf(next);
  await vi.advanceTimersByTimeAsync(0);
  expect(next.removed).toEqual([id]);
  expect(localStorage).toHaveLength(0);
});

test('what is wanted again stays', async () => {
  const { repo, removed } = fakeRepo();
  const removals = startOf({ repo });
  removals.remove(url);
  removals.cancel(url);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(removed).toEqual([]);
});
