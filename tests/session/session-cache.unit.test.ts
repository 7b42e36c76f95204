import type { Db } from 'mongodb';
import { expect, test, vi } from 'vitest';
import { tokenHash, type SessionRow, type UserRow } from '#shared/server/collections.ts';
import type { SignalListener, Signals } from '#shared/server/signals.ts';
import { HOUR_MS } from '#shared/time.ts';
import { createSessionCache } from '../../api/platform/session-cache.ts';

const TOKEN = 'a session token';
const now = new Date();
const userOf = (name: string) => ({ _id: `user of ${name}`, is_admin: false }) as UserRow;
const sessionOf = (token: string) =>
  ({
    _id: tokenHash(token),
    user_id: userOf(token)._id,
    created_at: now,
    last_used_at: now,
    expires_at: new Date(now.getTime() + HOUR_MS),
  }) as SessionRow;
const [user, session] = [userOf(TOKEN), sessionOf(TOKEN)];

/** A cache whose reads of sessions wait for `answer`. */
function cacheOf() {
  const waiting: ((rows: SessionRow[]) => void)[] = [];
  const findSessions = vi.fn<() => Promise<SessionRow[]>>(
    () => new Promise((resolve) => void waiting.push(resolve)),
  );
  const collection = () => ({
    collectionName: 'users',
    aggregate: () => ({
      toArray: async () =>
        (await findSessions()).map((row) => ({ ...row, users: [{ ...user, _id: row.user_id }] })),
    }),
  });
  let notify: SignalListener = () => {};
  const signals = {
    listen: (listener: SignalListener) => {
      notify = listener;
      return () => {};
    },
    isFresh: () => true,
  } as unknown as Signals;
  const cache = createSessionCache({ collection } as unknown as Db, signals);
  return {
    cache,
    findSessions,
    /** Answers the oldest read, once it has begun. */
    async answer(...rows: SessionRow[]) {
      await vi.waitFor(() => expect(waiting, 'reads that wait').not.toHaveLength(0));
      waiting.shift()?.(rows);
    },
    end: () =>
      notify({ topic: 'session', user_id: user._id } as Exclude<
        Parameters<SignalListener>[0],
        'lost'
      >),
  };
}

test('calls at the same time read their session once', async () => {
  const { cache, findSessions, answer } = cacheOf();
  const callers = [1, 2, 3].map(() => cache.callerOf(TOKEN));
  await answer(session);
  expect(await Promise.all(callers)).toEqual([1, 2, 3].map(() => ({ user, session })));
  expect(findSessions).toHaveBeenCalledTimes(1);
  expect(await cache.callerOf(TOKEN)).toEqual({ user, session });
  expect(findSessions).toHaveBeenCalledTimes(1);
});

test('the sessions of many users are read together, and each call gets its own', async () => {
  const { cache, findSessions, answer } = cacheOf();
  const tokens = ['ann', 'bob', 'nobody', 'eve'];
  const callers = tokens.map((token) => cache.callerOf(token));
  await answer(sessionOf('eve'), sessionOf('ann'), sessionOf('bob'));
  expect((await Promise.all(callers)).map((caller) => caller?.user._id)).toEqual([
    'user of ann',
    'user of bob',
    undefined,
    'user of eve',
  ]);
  expect(findSessions).toHaveBeenCalledTimes(1);
});

test('a call after a session ended does not wait for a read that began before', async () => {
  const { cache, findSessions, answer, end } = cacheOf();
  const before = cache.callerOf(TOKEN);
  await vi.waitFor(() => expect(findSessions).toHaveBeenCalledTimes(1));
  end();
  const after = cache.callerOf(TOKEN);
  await vi.waitFor(() => expect(findSessions).toHaveBeenCalledTimes(2));
  await answer(session);
  await answer();
  expect(await before).toEqual({ user, session });
  expect(await after).toBeNull();
});

test('a read that failed is repeated by the next call', async () => {
  const { cache, findSessions, answer } = cacheOf();
  findSessions.mockRejectedValueOnce(new Error('no answer'));
  await expect(Promise.all([1, 2].map(() => cache.callerOf(TOKEN)))).rejects.toThrow('no answer');
  const next = cache.callerOf(TOKEN);
  await answer(session);
  expect(await next).toEqual({ user, session });
});
