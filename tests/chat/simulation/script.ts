import type { Random } from './link.ts';

/** The users of a simulation. Ann and Bob are friends, and so are Bob and Cas. Ann and Cas are strangers. */
export const PEOPLE = ['ann', 'bob', 'cas'] as const;
export type Person = (typeof PEOPLE)[number];
export const FRIENDS: Record<Person, Person[]> = {
  ann: ['bob'],
  bob: ['ann', 'cas'],
  cas: ['bob'],
};
export const PAIRS: [Person, Person][] = [
  ['ann', 'bob'],
  ['bob', 'cas'],
];
/** The owner of each device: two of Ann's, two of Bob's, one of Cas's. */
export const OWNERS: Person[] = ['ann', 'ann', 'bob', 'bob', 'cas'];

export type Event = { after: number } & (
  | { is: 'write' | 'type' | 'read' | 'block'; device: number; friend: Person }
  | { is: 'cut' | 'restore' | 'crash'; device: number }
  | { is: 'post' | 'edit' | 'mark'; person: Person; friend: Person }
  /** Which node, as a number from 0 up to 1. */
  | { is: 'restart-sync'; node: number }
  | { is: 'cut-bus' | 'restore-bus'; node: number }
);

/** Everything that a seed determines, except the faults of each frame. */
export interface Script {
  /** The clock error of each device. */
  skewMs: number[];
  events: Event[];
}

const WEIGHTS = {
  write: 14,
  type: 1,
  read: 4,
  cut: 3,
  restore: 3,
  crash: 2,
  post: 2,
  edit: 0.5,
  mark: 1,
  'restart-sync': 0.3,
} as const;
const BLOCKS = 0.4;
const DAY_MS = 86_400_000;
const PAUSE_MS = 15;

/** The partitions of the bus in a script for several sync nodes. */
const PARTITIONS = 3;

/** Adds partitions: a sync node is cut off from the bus, but not from MongoDB, and some time later it is not. */
export function withPartitions({ skewMs, events }: Script, random: Random): Script {
  const all = [...events];
  for (let i = 0; i < PARTITIONS; i++) {
    const node = random();
    const at = Math.floor(random() * all.length);
    all.splice(at, 0, { is: 'cut-bus', after: 0, node });
    const end = at + 1 + Math.floor(random() * (all.length - at));
    all.splice(end, 0, { is: 'restore-bus', after: random() * PAUSE_MS, node });
  }
  return { skewMs, events: all };
}

export function scriptOf(random: Random): Script {
  const pick = <T>(from: readonly T[]): T => from[Math.floor(random() * from.length)] as T;
  const kinds = Object.entries(WEIGHTS) as [keyof typeof WEIGHTS, number][];
  const sum = kinds.reduce((total, [, weight]) => total + weight, 0);
  const event = (): Event => {
    let left = random() * sum;
    const is = kinds.find(([, weight]) => (left -= weight) < 0)?.[0] ?? 'write';
    const after = random() * PAUSE_MS;
    const device = Math.floor(random() * OWNERS.length);
    const person = OWNERS[device] as Person;
    const friend = pick(FRIENDS[person]);
    switch (is) {
      case 'restart-sync':
        return { is, after, node: after / PAUSE_MS };
      case 'post':
      case 'edit':
      case 'mark':
        return { is, after, person, friend };
      case 'cut':
      case 'restore':
      case 'crash':
        return { is, after, device };
      default:
        return { is, after, device, friend };
    }
  };
  const events = Array.from({ length: 15 + Math.floor(random() * 25) }, event);
  if (random() < BLOCKS) {
    const device = Math.floor(random() * OWNERS.length);
    const friend = pick(FRIENDS[OWNERS[device] as Person]);
    events.splice(5 + Math.floor(random() * (events.length - 5)), 0, {
      is: 'block',
      after: 0,
      device,
      friend,
    });
  }
  const skewMs = OWNERS.map(() => (random() < 0.5 ? 0 : (random() - 0.5) * 4 * DAY_MS));
  return { skewMs, events };
}
