import { startTestApi } from '../../api.ts';
import { DevicesProcess } from './device.ts';
import { randomOf } from './link.ts';
import { OWNERS, scriptOf } from './script.ts';
import { checkInvariants } from './check-invariants.ts';
import { World, type Realm } from './world.ts';

/** The number of concurrent simulations on shared servers. Each is mostly waiting. */
const CONCURRENCY = 6;
/** Simulations that restart the sync server use their own servers. */
const RESTARTING_CONCURRENCY = 2;

/**
 * Runs the simulations of these seeds concurrently.
 * @param onSeed called after each seed
 * @returns the violated invariants of each failed seed
 */
export async function simulate(
  mongodbUri: string,
  seeds: readonly number[],
  onSeed: (seed: number, wrong: readonly string[]) => void = () => {},
): Promise<Record<number, string[]>> {
  const scripts = seeds.map((seed) => ({ seed, script: scriptOf(randomOf(seed)) }));
  const isRestarting = ({ script }: (typeof scripts)[number]) =>
    script.events.some(({ is }) => is === 'restart-sync');
  const restarting = scripts.filter(isRestarting);
  const others = scripts.filter((each) => !isRestarting(each));
  const realms: Realm[] = [];
  const devices = await DevicesProcess.start();
  const wrong: Record<number, string[]> = {};
  const newRealm = async () => {
    const realm = await startRealm(mongodbUri);
    realms.push(realm);
    return realm;
  };
  const playOne = async ({ seed, script }: (typeof scripts)[number], realm: Realm) => {
    const members = OWNERS.map(() => devices.newDevice());
    const found = await run(new World(seed, script, realm, members));
    if (found.length > 0) wrong[seed] = found;
    onSeed(seed, found);
  };
  const play = async (queue: typeof scripts, realm: Realm) => {
    for (let next = queue.shift(); next; next = queue.shift()) await playOne(next, realm);
  };
  try {
    const shared = await newRealm();
    // Runs one seed alone, because code that runs for the first time is so slow that devices would time out.
    const first = others.shift();
    if (first) await playOne(first, shared);
    await Promise.all([
      ...Array.from({ length: CONCURRENCY }, () => play(others, shared)),
      ...Array.from({ length: restarting.length > 0 ? RESTARTING_CONCURRENCY : 0 }, async () =>
        play(restarting, await newRealm()),
      ),
    ]);
    return wrong;
  } finally {
    devices.stop();
    for (const { api } of realms) await api.close();
  }
}

async function run(world: World): Promise<string[]> {
  try {
    await world.play();
    return await checkInvariants(world);
  } catch (error) {
    return [error instanceof Error ? (error.stack ?? error.message) : String(error)];
  } finally {
    await world.end();
  }
}

async function startRealm(mongodbUri: string): Promise<Realm> {
  const api = await startTestApi(mongodbUri);
  let restarts = Promise.resolve();
  return {
    api,
    restartSync() {
      const before = restarts;
      restarts = (async () => {
        await before;
        await api.stopSync();
        await api.startSync();
      })();
      return restarts;
    },
  };
}
