import type { Random } from '../../tests/chat/simulation/link.ts';

/** Ann's two devices, and the one of her friend Bob. */
export const DEVICES = ['ann', 'ann', 'bob'] as const;
export type Person = (typeof DEVICES)[number];
export type DeviceIndex = 0 | 1 | 2;
/** Bob's device. */
export const FRIEND = 2;

const DEVICE_STEPS = {
  write: 18,
  'add-dog': 4,
  draft: 2,
  read: 6,
  /** Ann or Bob unsends a message that the device shows as sent. */
  unsend: 7,
  /** A moderator removes a message of the device's owner. */
  remove: 1.5,
  offline: 7,
  online: 5,
  kill: 6,
  start: 7,
  'slow-line': 1.5,
  /** Delays, doubles, loses and reorders frames. */
  'lossy-line': 1.5,
  'slow-reads': 2,
  'end-session': 1,
  'switch-account': 0.5,
  'full-disk': 1.2,
  'free-disk': 1.5,
  'lose-documents': 0.7,
  'lose-everything': 0.4,
  block: 0.15,
} as const;
/** On devices, in later seeds: those before stay the histories that they were when they failed. */
const LATER_STEPS = {
  /** The processor is up to six times slower. */
  'slow-processor': 2,
  /** The disk damages a part of a stored document. */
  damage: 1,
} as const;
/** The same in the newest seeds. */
const NEWEST_STEPS = {
  /** Ann or Bob types with many pauses. */
  type: 3,
  /** The account is nearly full. */
  'fill-account': 1,
  /** Something is written that the server refuses. */
  'change-refused': 0.5,
} as const;
/** The same in seeds after those. */
const FURTHER_STEPS = {
  /** More is written at once than a slow line carries before it seems to stall. */
  'write-much': 1,
  /** Ann or Bob and somebody else become friends. */
  befriend: 0.5,
} as const;
/** The same in seeds after those. */
const PICTURE_STEPS = {
  /** A message with a picture. */
  'write-photo': 8,
  /** Ann or Bob edits a message that the device shows as sent. */
  edit: 4,
} as const;
const SERVER_STEPS = {
  'kill-sync': 0.6,
  'stop-sync': 0.4,
  'start-sync': 1,
  'kill-api': 0.5,
  'freeze-mongodb': 0.4,
} as const;
/** The same in the latest seeds. */
const LATEST_SERVER_STEPS = { 'kill-mongodb': 0.3 } as const;
/** On servers that other histories may use, too. */
const SHARED_STEPS = { 'freeze-sync': 1 } as const;
/** The same in later seeds. */
const LATER_SHARED_STEPS = { 'freeze-api': 1 } as const;
/** The first of the later, of the latest, of the newest and of the further seeds, and of those with pictures. From the newest on, a slow line stays slow. */
const LATER = 30_000;
const LATEST = 40_000;
export const NEWEST = 60_000;
const FURTHER = 90_000;
const PICTURES = 110_000;
/** The probability that the servers are restored from a backup. */
const RESTORES = 0.08;

type ServerStep =
  | keyof typeof SERVER_STEPS
  | keyof typeof LATEST_SERVER_STEPS
  | keyof typeof SHARED_STEPS
  | keyof typeof LATER_SHARED_STEPS;
export type Step = { after: number } & (
  | {
      is:
        | keyof typeof DEVICE_STEPS
        | keyof typeof LATER_STEPS
        | keyof typeof NEWEST_STEPS
        | keyof typeof FURTHER_STEPS
        | keyof typeof PICTURE_STEPS;
      device: DeviceIndex;
      chance: number;
    }
  | {
      is: ServerStep;
      chance: number;
    }
  | { is: 'back-up' | 'restore' }
);

/** The longest pause between two steps in ms; most are far shorter, so that steps meet each other. */
const PAUSE_MS = 250;
const DEVICE_WEIGHTS = { 0: 5, 1: 3, 2: 3 };

/** Returns the steps of the history of a seed. @param random of this seed */
export function randomSteps(random: Random, seed: number): Step[] {
  const isLater = seed >= LATER;
  const onServers = {
    ...SERVER_STEPS,
    ...SHARED_STEPS,
    ...(seed >= LATEST && LATEST_SERVER_STEPS),
    ...(isLater && LATER_SHARED_STEPS),
  };
  const all: Partial<Record<Step['is'], number>> = {
    ...DEVICE_STEPS,
    ...onServers,
    ...(isLater && LATER_STEPS),
    ...(seed >= NEWEST && NEWEST_STEPS),
    ...(seed >= FURTHER && FURTHER_STEPS),
    ...(seed >= PICTURES && PICTURE_STEPS),
  };
  const weighted = <T extends string>(weights: Readonly<Partial<Record<T, number>>>): T => {
    const entries = Object.entries(weights) as [T, number][];
    let left = random() * entries.reduce((sum, [, weight]) => sum + weight, 0);
    return (entries.find(([, weight]) => (left -= weight) < 0) ?? entries[0]!)[0];
  };
  const after = () => PAUSE_MS * random() ** 3;
  const steps = Array.from({ length: 14 + Math.floor(random() * 22) }, (): Step => {
    const is = weighted(all);
    if (is in onServers) return { is: is as ServerStep, after: after(), chance: random() };
    const device = Number(weighted(DEVICE_WEIGHTS)) as DeviceIndex;
    return { is: is as keyof typeof DEVICE_STEPS, after: after(), device, chance: random() };
  });
  if (random() >= RESTORES) return steps;
  const from = Math.floor(random() * steps.length);
  const to = from + Math.floor(random() * (steps.length - from));
  // What replaced a segment after the backup is gone from the servers, but not from the devices. That is not simulated, and a
  // session of after the backup ends.
  const replaces = new Set<Step['is']>([
    'unsend',
    'edit',
    'remove',
    'block',
    'end-session',
    'switch-account',
  ]);
  const between = steps.slice(from, to).filter(({ is }) => !replaces.has(is));
  return [
    ...steps.slice(0, from),
    { is: 'back-up', after: after() },
    ...between,
    { is: 'restore', after: after() },
    ...steps.slice(to),
  ];
}

/** What others would notice on the same servers. All share MongoDB. */
const ENDS_SERVERS: ReadonlySet<Step['is']> = new Set([
  'kill-sync',
  'stop-sync',
  'kill-api',
  'back-up',
]);

/** Whether a history needs servers of its own. */
export const needsOwnServers = (steps: readonly Step[]): boolean =>
  steps.some(({ is }) => ENDS_SERVERS.has(is));
