import { startTestApi } from '../../api.ts';
import { Device } from './device.ts';
import { OWNERS } from './script.ts';
import { World } from './world.ts';

/** So many simulations at a time, each with devices of its own. */
const LANES = 2;

/**
 * Plays seeds, one after the other in each lane, against one api and one sync server.
 * @param onSeed hears of each seed when it is over
 * @returns by seed, what was wrong; of those that were right, nothing
 */
export async function simulate(
  mongodbUri: string,
  seeds: readonly number[],
  onSeed: (seed: number, wrong: readonly string[]) => void = () => {},
): Promise<Record<number, string[]>> {
  const api = await startTestApi(mongodbUri);
  const lanes = await Promise.all(
    Array.from({ length: LANES }, () => Promise.all(OWNERS.map(() => Device.start()))),
  );
  let restarts: Promise<void> = Promise.resolve();
  const restartSync = () => {
    const before = restarts;
    restarts = (async () => {
      await before;
      await api.stopSync();
      await api.startSync();
    })();
    return restarts;
  };
  const left = [...seeds];
  const wrong: Record<number, string[]> = {};
  const play = async (devices: Device[]) => {
    for (let seed = left.shift(); seed !== undefined; seed = left.shift()) {
      const found = await new World(seed, api, devices, restartSync).run();
      if (found.length > 0) wrong[seed] = found;
      onSeed(seed, found);
    }
  };
  try {
    await Promise.all(lanes.map(play));
    return wrong;
  } finally {
    for (const device of lanes.flat()) device.stop();
    await api.close();
  }
}
