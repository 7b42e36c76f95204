import { setTimeout as wait } from 'node:timers/promises';
import { expect, test, vi } from 'vitest';
import type { Signals } from '#shared/server/signals.ts';
import { checkOnSignal } from '../../../api/features/moderation/content/check-on-signal.ts';
import type { Services } from '../../../api/platform/services.ts';

/** A server with one check. */
function start(check: (isOver: () => boolean) => Promise<unknown>) {
  const listeners: Parameters<Signals['listen']>[0][] = [];
  const closers: (() => unknown)[] = [];
  const jobs: (() => Promise<unknown>)[] = [];
  const [warn, runJobSoon] = [vi.fn<() => void>(), vi.fn<(name: string) => void>()];
  checkOnSignal(
    {
      signals: {
        listen(listener: (typeof listeners)[0]) {
          listeners.push(listener);
          return () => {};
        },
      },
      onClose: (run: () => unknown) => closers.push(run),
      registerJob: (_: string, run: () => Promise<unknown>) => jobs.push(run),
      runJobSoon,
      isJobNode: () => true,
      log: { warn },
    } as unknown as Services,
    { name: 'names', topic: 'card', pauseMs: 5 },
    check,
  );
  return {
    warn,
    runJobSoon,
    signal: () => listeners.forEach((listener) => listener('lost')),
    runJob: () => jobs[0]!(),
    async close() {
      for (const run of closers) await run();
    },
  };
}

test('a background run ends with the run that began after it, although signals never stop', async () => {
  let runs = 0;
  const server = start(async () => {
    runs++;
    await wait(1);
    // Somebody writes during each of them.
    server.signal();
  });
  server.signal();
  await vi.waitFor(() => expect(runs).toBeGreaterThan(2));
  const before = runs;
  await server.runJob();
  expect(runs).toBeGreaterThan(before);
  await server.close();
  const last = runs;
  await wait(50);
  expect(runs).toBe(last);
});

test('a run that fails is logged once for all signals that wait for it, and repeated by the background job', async () => {
  const check = vi.fn<() => Promise<void>>().mockRejectedValueOnce(new Error('no database'));
  const server = start(check);
  for (let i = 0; i < 3; i++) server.signal();
  await vi.waitFor(() => expect(server.runJobSoon).toHaveBeenCalledOnce());
  expect(server.warn).toHaveBeenCalledOnce();
  expect(server.runJobSoon).toHaveBeenCalledWith('names');
  await server.close();
});

test('closing waits for the run that is under way', async () => {
  let isDone = false;
  const server = start(async (isOver) => {
    while (!isOver()) await wait(1);
    isDone = true;
  });
  server.signal();
  await wait(10);
  await server.close();
  expect(isDone).toBe(true);
});
