import type { Db } from 'mongodb';
import { expect, test, vi } from 'vitest';
import type { SessionRow, UserRow } from '#shared/server/collections.ts';
import type { SignalListener, Signals } from '#shared/server/signals.ts';
import { HOUR_MS } from '#shared/time.ts';
import { createSessionCache } from '../../api/session-cache.ts';

const TOKEN = 'a session token';
const now = new Date();
const user = { _id: 'u1', is_admin: false } as UserRow;
const session = {
  _id: 's1',
  user_id: 'u1',
  created_at: now,
  last_used_at: now,
  expires_at: new Date(now.getTime() + HOUR_MS),
} as SessionRow;

/** A cache whose reads of the session wait for `answer`. */
function cacheOf() {
  const waiting: ((row: SessionRow | null) => void)[] = [];
  const findSession = vi.fn<() => Promise<SessionRow | null>>(
    () => new Promise((resolve) => void waiting.push(resolve)),
  );
  const findUser = () => Promise.resolve(user);
  const collection = (name: string) => ({ findOne: name === 'sessions' ? findSession : findUser });
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
    findSession,
    answer: (row: SessionRow | null) => waiting.shift()?.(row),
    end: () =>
      notify({ topic: 'session', user_id: 'u1' } as Exclude<Parameters<SignalListener>[0], 'lost'>),
  };
}

test('calls at the same time read their session once', async () => {
  const { cache, findSession, answer } = cacheOf();
  const callers = [1, 2, 3].map(() => cache.callerOf(TOKEN));
  answer(session);
  expect(await Promise.all(callers)).toEqual([1, 2, 3].map(() => ({ user, session })));
  expect(findSession).toHaveBeenCalledTimes(1);
  expect(await cache.callerOf(TOKEN)).toEqual({ user, session });
  expect(findSession).toHaveBeenCalledTimes(1);
});

test('a call after a session ended does not wait for a read that began before', async () => {
  const { cache, findSession, answer, end } = cacheOf();
  const before = cache.callerOf(TOKEN);
  end();
  const after = cache.callerOf(TOKEN);
  expect(findSession).toHaveBeenCalledTimes(2);
  answer(session);
  answer(null);
  expect(await before).toEqual({ user, session });
  expect(await after).toBeNull();
});

test('a read that failed is repeated by the next call', async () => {
  const { cache, findSession, answer } = cacheOf();
  findSession.mockRejectedValueOnce(new Error('no answer'));
  await expect(Promise.all([1, 2].map(() => cache.callerOf(TOKEN)))).rejects.toThrow('no answer');
  const next = cache.callerOf(TOKEN);
  answer(session);
  expect(await next).toEqual({ user, session });
});
