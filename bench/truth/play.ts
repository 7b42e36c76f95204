import { startTestApi, type TestApi } from '../../tests/api.ts';
import { DevicesProcess } from '../../tests/chat/simulation/device.ts';
import { Link, randomOf } from '../../tests/chat/simulation/link.ts';
import { History } from './history.ts';
import { DEVICES, needsOwnServers, stepsOf } from './script.ts';

/** Histories at a time on shared servers: each mostly waits. */
const CONCURRENCY = 5;
/** Histories at a time with servers of their own. */
const OWN_SERVERS = 2;

/**
 * Plays the histories of these seeds with the real client and servers.
 * @param onSeed called after each
 * @param mongodbPid of a MongoDB of their own, which may be frozen
 * @returns what was untrue or lost, by seed
 */
export async function playHistories(
  mongodbUri: string,
  seeds: readonly number[],
  onSeed: (seed: number, wrong: readonly string[]) => void = () => {},
  mongodbPid?: number,
): Promise<Map<number, string[]>> {
  const all = seeds.map((seed) => ({ seed, steps: stepsOf(randomOf(seed), seed) }));
  const alone = all.filter(({ steps }) => needsOwnServers(steps));
  const together = all.filter(({ steps }) => !needsOwnServers(steps));
  const wrong = new Map<number, string[]>();
  const devices = await DevicesProcess.start();
  const play = async (queue: typeof all, api: TestApi) => {
    for (let next = queue.shift(); next; next = queue.shift()) {
      const { seed, steps } = next;
      const members = DEVICES.map(() => devices.newDevice());
      const found = await new History(steps, { ...api, mongodbPid: () => mongodbPid }, members, {
        lineOf: (i, target) => new Link(randomOf(seed * 31 + i), target),
      }).play();
      if (found.length > 0) wrong.set(seed, found);
      onSeed(seed, found);
    }
  };
  const playWith = async (queue: typeof all, workers: number) => {
    if (queue.length === 0) return;
    const api = await startTestApi(mongodbUri);
    try {
      await Promise.all(Array.from({ length: workers }, () => play(queue, api)));
    } finally {
      await api.close();
    }
  };
  try {
    await Promise.all([
      playWith(together, CONCURRENCY),
      ...Array.from({ length: Math.min(OWN_SERVERS, alone.length) }, () => playWith(alone, 1)),
    ]);
    return wrong;
  } finally {
    devices.stop();
  }
}
