import { DAY_MS } from '#shared/time.ts';
import { folderOf } from '../../scripts/build/build-fingerprint.ts';
import { buildIfStale } from '../../scripts/build/build-if-stale.ts';
import { startTestApi, type TestApi } from '../../tests/api.ts';
import type { DeviceCalls } from '../../tests/chat/simulation/device-protocol.ts';
import { DevicesProcess, type Device } from '../../tests/chat/simulation/device.ts';
import { Link, randomOf } from '../../tests/chat/simulation/link.ts';
import { ChromiumDevice } from './chromium/chromium-device.ts';
import { History } from './history.ts';
import { buildOldClient, oldSources } from './old-app.ts';
import type { OwnMongodb } from './own-mongodb.ts';
import { DEVICES, FRIEND, needsOwnServers, NEWEST, randomSteps, type Step } from './script.ts';

/** Histories at a time on shared servers: each mostly waits. */
const CONCURRENCY = 8;
/** Histories at a time with servers of their own. */
const OWN_SERVERS = 3;
/** The device whose app may be an old one. */
const OLD = 1;
/** What the simulation of an old app may not know does nothing on it. */
const NEWER_CALLS: ReadonlySet<keyof DeviceCalls> = new Set([
  'setSlowdown',
  'holdCalls',
  'damage',
  'fillAccount',
  'changeRefused',
  'writePhoto',
  'edit',
]);

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
  /** Returns the steps of a seed; random ones by default. */
  stepsOf?: (seed: number) => readonly Step[];
  /** Called after each. */
  onSeed?: (seed: number, wrong: readonly string[]) => void;
  /** A MongoDB of their own, which may be frozen and killed. */
  mongodb?: OwnMongodb;
  /** Ann's second device has the app of this commit. */
  oldCommit?: string | undefined;
}

interface Scripted {
  seed: number;
  steps: readonly Step[];
}

/** Devices for histories, one after the other. */
interface Devices {
  newDevices(): Device[];
  close(): Promise<void>;
}

/**
 * Plays histories several at a time: some on shared servers, and some on servers of their own.
 * @param together how many on shared servers
 */
async function playAll(
  settings: PlaySettings,
  together: number,
  areReal: boolean,
  openDevices: (api: TestApi) => Promise<Devices>,
): Promise<Map<number, string[]>> {
  const { stepsOf = (seed) => randomSteps(randomOf(seed), seed) } = settings;
  // Another history may kill the database.
  const undisturbed = <T>(work: () => Promise<T>) => settings.mongodb?.undisturbed(work) ?? work();
  const all = settings.seeds.map((seed) => ({ seed, steps: stepsOf(seed) }));
  const wrong = new Map<number, string[]>();
  const playWith = async (queue: Scripted[], workers: number) => {
    if (queue.length === 0) return;
    const api = await undisturbed(() => startTestApi(settings.mongodbUri));
    const playQueue = async () => {
      const devices = await openDevices(api);
      try {
        for (let next = queue.shift(); next; next = queue.shift()) {
          const { seed, steps } = next;
          const servers = { ...api, mongodb: settings.mongodb };
          const found = await new History(steps, servers, devices.newDevices(), {
            areReal,
            // 2 kB/s carry a real app's documents for minutes.
            staysSlow: !areReal && seed >= NEWEST,
            lineOf: (i, target) => new Link(randomOf(seed * 31 + i), target),
          }).play();
          if (found.length > 0) wrong.set(seed, found);
          settings.onSeed?.(seed, found);
        }
      } finally {
        await devices.close();
      }
    };
    try {
      await Promise.all(Array.from({ length: workers }, playQueue));
    } finally {
      await undisturbed(() => api.close());
    }
  };
  const alone = all.filter(({ steps }) => needsOwnServers(steps));
  await Promise.all([
    playWith(
      all.filter(({ steps }) => !needsOwnServers(steps)),
      together,
    ),
    ...Array.from({ length: Math.min(areReal ? 1 : OWN_SERVERS, alone.length) }, () =>
      playWith(alone, 1),
    ),
  ]);
  return wrong;
}

/**
 * Plays the histories of these seeds with the real client, on simulated devices, and the real servers.
 * @returns what was untrue or lost, by seed
 */
export async function playHistories(settings: PlaySettings): Promise<Map<number, string[]>> {
  const { oldCommit } = settings;
  const devices = await DevicesProcess.start();
  const old = oldCommit === undefined ? devices : await DevicesProcess.start(oldSources(oldCommit));
  const all = DEVICES.map((_, i) => (i === OLD ? old : devices));
  try {
    return await playAll(settings, CONCURRENCY, false, async () => ({
      newDevices: () =>
        all.map((each, i) => (i === OLD ? oldDevice(each.newDevice()) : each.newDevice())),
      close: async () => {},
    }));
  } finally {
    devices.stop();
    old.stop();
  }
}

/**
 * The same with the built client in browsers, which are used by their screens.
 * @returns what was untrue or lost, by seed
 */
export async function playInChromium(settings: PlaySettings): Promise<Map<number, string[]>> {
  await buildIfStale(process.env, console.error, undefined, ['client']);
  const current = folderOf('client');
  const { oldCommit } = settings;
  const old = oldCommit === undefined ? current : await buildOldClient(oldSources(oldCommit));
  return playAll(settings, 1, true, async (api) => {
    const devices = DEVICES.map(
      (_, index) =>
        new ChromiumDevice({
          index,
          clientDir: index === OLD ? old : current,
          publicOrigin: api.env['PUBLIC_ORIGIN']!,
          isPocketed: index === FRIEND,
          prepare: async ({ documents }) => {
            const at = new Date(Date.now() - DAY_MS).toISOString();
            await api.change(documents.account, 'guidelines.accept', { at });
          },
        }),
    );
    for (const device of devices) await device.open();
    return {
      newDevices: () => devices,
      close: async () => void (await Promise.all(devices.map((device) => device.close()))),
    };
  });
}
