import { DAY_MS } from '#shared/time.ts';
import { folderOf } from '../../scripts/build/build-fingerprint.ts';
import { buildIfStale } from '../../scripts/build/build-if-stale.ts';
import { startTestApi, type TestApi } from '../../tests/api.ts';
import { DevicesProcess, type Device } from '../../tests/chat/simulation/device.ts';
import { Link, randomOf } from '../../tests/chat/simulation/link.ts';
import type { DeviceCalls } from '../../tests/chat/simulation/device-protocol.ts';
import { ChromiumDevice } from './chromium/chromium-device.ts';
import { History } from './history.ts';
import { buildOldClient, oldSources } from './old-app.ts';
import type { OwnMongodb } from './own-mongodb.ts';
import { DEVICES, FRIEND, needsOwnServers, stepsOf, type Step } from './script.ts';

/** Histories at a time on shared servers: each mostly waits. */
const CONCURRENCY = 5;
/** Histories at a time with servers of their own. */
const OWN_SERVERS = 2;
/** The device whose app may be an old one. */
const OLD = 1;
/** What the simulation of an old app may not know does nothing on it. */
const NEWER_CALLS: ReadonlySet<keyof DeviceCalls> = new Set(['setSlowdown', 'holdCalls', 'damage']);

/** A device whose app is an old one. */
const oldDevice = (device: Device): Device => ({
  call: (call, ...given) =>
    device.call(call, ...given).catch((error: Error) => {
      if (NEWER_CALLS.has(call) && error.message.includes('is not a function'))
        return null as never;
      throw error;
    }),
});

export interface PlaySettings {
  mongodbUri: string;
  seeds: readonly number[];
  /** Called after each. */
  onSeed?: (seed: number, wrong: readonly string[]) => void;
  /** A MongoDB of their own, which may be frozen and killed. */
  mongodb?: OwnMongodb;
  /** Ann's second device has the app of this commit. */
  oldCommit?: string | undefined;
}

interface Scripted {
  seed: number;
  steps: Step[];
}

/** Plays histories one after the other. */
async function playQueue(
  { onSeed, mongodb }: PlaySettings,
  queue: Scripted[],
  api: TestApi,
  newDevices: () => Device[],
  wrong: Map<number, string[]>,
  areReal: boolean,
): Promise<void> {
  for (let next = queue.shift(); next; next = queue.shift()) {
    const { seed, steps } = next;
    const servers = { ...api, mongodb };
    const found = await new History(steps, servers, newDevices(), {
      areReal,
      lineOf: (i, target) => new Link(randomOf(seed * 31 + i), target),
    }).play();
    if (found.length > 0) wrong.set(seed, found);
    onSeed?.(seed, found);
  }
}

const scripted = (seeds: readonly number[]): Scripted[] =>
  seeds.map((seed) => ({ seed, steps: stepsOf(randomOf(seed), seed) }));

/**
 * Plays the histories of these seeds with the real client, on simulated devices, and the real servers.
 * @returns what was untrue or lost, by seed
 */
export async function playHistories(settings: PlaySettings): Promise<Map<number, string[]>> {
  const { mongodbUri, oldCommit } = settings;
  const all = scripted(settings.seeds);
  const alone = all.filter(({ steps }) => needsOwnServers(steps));
  const together = all.filter(({ steps }) => !needsOwnServers(steps));
  const wrong = new Map<number, string[]>();
  const devices = await DevicesProcess.start();
  const old = oldCommit === undefined ? devices : await DevicesProcess.start(oldSources(oldCommit));
  const newDevices = () =>
    DEVICES.map((_, i) => (i === OLD ? oldDevice(old.newDevice()) : devices.newDevice()));
  const playWith = async (queue: Scripted[], workers: number) => {
    if (queue.length === 0) return;
    const api = await startTestApi(mongodbUri);
    try {
      await Promise.all(
        Array.from({ length: workers }, () =>
          playQueue(settings, queue, api, newDevices, wrong, false),
        ),
      );
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
    old.stop();
  }
}

/**
 * The same with the built client in browsers, which are used by their screens. One history at a time.
 * @returns what was untrue or lost, by seed
 */
export async function playInChromium(settings: PlaySettings): Promise<Map<number, string[]>> {
  await buildIfStale(process.env, console.error, undefined, ['client']);
  const current = folderOf('client');
  const { oldCommit } = settings;
  const old = oldCommit === undefined ? current : await buildOldClient(oldSources(oldCommit));
  const api = await startTestApi(settings.mongodbUri);
  const devices = DEVICES.map(
    (_, i) =>
      new ChromiumDevice({
        clientDir: i === OLD ? old : current,
        publicOrigin: api.env['PUBLIC_ORIGIN']!,
        isPocketed: i === FRIEND,
        prepare: async ({ documents }) => {
          const at = new Date(Date.now() - DAY_MS).toISOString();
          await api.change(documents.account, 'guidelines.accept', { at });
        },
      }),
  );
  const wrong = new Map<number, string[]>();
  try {
    for (const device of devices) await device.open();
    await playQueue(settings, scripted(settings.seeds), api, () => devices, wrong, true);
    return wrong;
  } finally {
    for (const device of devices) await device.close();
    await api.close();
  }
}
