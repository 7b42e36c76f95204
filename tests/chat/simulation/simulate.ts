import { startTestApi } from '../../api.ts';
import { DevicesProcess } from './device.ts';
import { randomOf } from './link.ts';
import { OWNERS, scriptOf } from './script.ts';
import { judge } from './check-invariants.ts';
import { World, type Realm } from './world.ts';

/** So many simulations at a time, of those that leave the servers alone: most of each is waiting. */
const LANES = 6;
/** Those that restart the sync server have servers of their own. */
const RESTARTING_LANES = 2;

/**
 * Plays seeds, many at a time.
 * @param onSeed hears of each seed when it is over
 * @returns by seed, what was wrong; of those that were right, nothing
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
    // One alone: what runs for the first time is so slow that devices take it for a network or a disk that fails.
    const first = others.shift();
    if (first) await playOne(first, shared);
    await Promise.all([
      ...Array.from({ length: LANES }, () => play(others, shared)),
      ...Array.from({ length: restarting.length > 0 ? RESTARTING_LANES : 0 }, async () =>
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
    return await judge(world);
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
