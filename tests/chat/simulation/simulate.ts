import { createNatsBus } from '#shared/bus/nats-bus.ts';
import { startTestApi } from '../../api.ts';
import { startNats, type TestNats } from '../../nats.ts';
import { lossy, type LossyBus } from '../../sync/two-nodes.ts';
import { checkInvariants } from './check-invariants.ts';
import { DevicesProcess } from './device.ts';
import { randomOf } from './link.ts';
import { OWNERS, scriptOf, withPartitions } from './script.ts';
import { World, type Realm } from './world.ts';

/** The number of concurrent simulations on shared servers. Each is mostly waiting. */
const CONCURRENCY = 6;
/** Simulations that restart the sync server use their own servers. */
const RESTARTING_CONCURRENCY = 2;
/** The probability that a bus loses a message without noticing. */
const BUS_LOSS = 0.03;

/**
 * Runs the simulations of these seeds concurrently.
 * @param settings.onSeed called after each seed
 * @param settings.nodes the number of sync nodes. Several are connected by a NATS server, from which they are cut off at times
 * @returns the violated invariants of each failed seed
 */
export async function simulate(
  mongodbUri: string,
  seeds: readonly number[],
  {
    onSeed = () => {},
    nodes = 1,
  }: { onSeed?: (seed: number, wrong: readonly string[]) => void; nodes?: number } = {},
): Promise<Record<number, string[]>> {
  const scripts = seeds.map((seed) => {
    const random = randomOf(seed);
    const script = scriptOf(random);
    return { seed, script: nodes > 1 ? withPartitions(script, random) : script };
  });
  const nats = nodes > 1 ? await startNats() : null;
  const isRestarting = ({ script }: (typeof scripts)[number]) =>
    script.events.some(({ is }) => is === 'restart-sync');
  const restarting = scripts.filter(isRestarting);
  const others = scripts.filter((each) => !isRestarting(each));
  const realms: Realm[] = [];
  const devices = await DevicesProcess.start();
  const wrong: Record<number, string[]> = {};
  const newRealm = async () => {
    const realm = await startRealm(mongodbUri, nodes, nats);
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
    await nats?.stop();
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

async function startRealm(
  mongodbUri: string,
  nodes: number,
  nats: TestNats | null,
): Promise<Realm> {
  const buses: LossyBus[] = [];
  const openBus = async (node: number) => {
    if (!nats) return undefined;
    const bus = lossy(await createNatsBus(nats.url, () => {}));
    const random = randomOf(node);
    bus.isLost = () => random() < BUS_LOSS;
    return (buses[node] = bus);
  };
  const api = await startTestApi(
    mongodbUri,
    {},
    Array.from({ length: nodes }, (_, node) => () => openBus(node)),
  );
  let restarts = Promise.resolve();
  return {
    api,
    restartSync(which) {
      const node = Math.floor(which * nodes);
      const before = restarts;
      restarts = (async () => {
        await before;
        await api.stopSync(node);
        await api.startSync(node);
      })();
      return restarts;
    },
    setBus(which, isConnected) {
      const bus = buses[Math.floor(which * nodes)];
      if (isConnected) bus?.restore();
      else bus?.cut();
    },
  };
}
