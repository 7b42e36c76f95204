import type { Place } from '#shared/place.ts';
import type { NearbyUser, PositionReport } from '#shared/proximity/contract.ts';
import { NEARBY_MAX } from '#shared/proximity/rules.ts';
import { coarsePlace, type OffsetOf } from './coarse-location.ts';
import { Devices } from './devices.ts';
import type { Placed } from './grid.ts';
import { NumberRows } from './number-rows.ts';
import type { Queued } from './queue.ts';
import type { Fixed, Track } from './track.ts';

/** What an answer tells of somebody, and whom they must not meet in it. */
export interface Person {
  user_id: string;
  display_name: string;
  dogs: NearbyUser['dogs'];
  /** Users whom this one blocked, and users who blocked this one. */
  blocked: ReadonlySet<string>;
}

const LATITUDE = 0;
const LONGITUDE = 1;
const FIX_AT = 2;
const REPORTED_AT = 3;
const PROMISED_AT = 4;
const SEQUENCE = 5;
const COARSE_LATITUDE = 6;
const COARSE_LONGITUDE = 7;
const EXPECTED_AT = 8;

/** Where all of the `Live` of one engine keep their numbers. */
export const liveRows = (): NumberRows => new NumberRows(9);

/** How two people are together: by which of one's own devices, and when their positions last said so, in milliseconds. */
export interface Company {
  device: string;
  at: number;
}

/** Somebody who shares a position now. Times in milliseconds. */
export class Live implements Placed, Queued {
  readonly handle: number;
  person: Person;
  track: Track | null = null;
  /** Which of its owner's devices the position is from, by its session; '' where that is not known. */
  from = '';
  /** The tracker that sent it, as it calls itself; '' where it does not. */
  tracker = '';
  /** All of its owner's devices; made when there are several. */
  devices: Devices | null = null;
  /** Who was told of whom and has not parted since, and which of one's own devices is with them; made when needed. */
  inside: Map<Live, Company> | null = null;
  /** Meetings that the courses foresee, by the other person; each can be cancelled. */
  foreseen: Map<Live, () => void> | null = null;
  /** Shares a position and meets nobody by it: see `staysAside`. */
  isAside = false;
  /** All that others may learn of this position before both are notified. */
  readonly coarse: Coarse;
  before: Queued | null = null;
  behind: Queued | null = null;
  readonly #rows: NumberRows;

  /** @param offsetOf moves the coarse location */
  constructor(
    rows: NumberRows,
    person: Person,
    { latitude, longitude }: Place,
    offsetOf: OffsetOf,
  ) {
    this.#rows = rows;
    this.handle = rows.take();
    this.person = person;
    this.latitude = latitude;
    this.longitude = longitude;
    this.coarse = new Coarse(rows, this, offsetOf);
  }

  /** One of its owner's devices has reported, whether that moves them or not. */
  hear(from: string, report: PositionReport, now: number): void {
    if (this.from !== '' && from !== this.from) this.devices ??= new Devices(this);
    this.devices?.heard(from, report, now);
  }

  get latitude(): number {
    return this.#rows.get(this.handle, LATITUDE);
  }
  set latitude(degrees: number) {
    this.#rows.set(this.handle, LATITUDE, degrees);
  }

  get longitude(): number {
    return this.#rows.get(this.handle, LONGITUDE);
  }
  set longitude(degrees: number) {
    this.#rows.set(this.handle, LONGITUDE, degrees);
  }

  /** When the fix was taken. */
  get fixAt(): number {
    return this.#rows.get(this.handle, FIX_AT);
  }
  set fixAt(at: number) {
    this.#rows.set(this.handle, FIX_AT, at);
  }

  /** When its report came. */
  get reportedAt(): number {
    return this.#rows.get(this.handle, REPORTED_AT);
  }
  set reportedAt(at: number) {
    this.#rows.set(this.handle, REPORTED_AT, at);
  }

  /** When the next one is due. */
  get promisedAt(): number {
    return this.#rows.get(this.handle, PROMISED_AT);
  }
  set promisedAt(at: number) {
    this.#rows.set(this.handle, PROMISED_AT, at);
  }

  /** When the next one comes at the latest: as `promisedAt`, but if the request to report sooner was lost. */
  get expectedAt(): number {
    return this.#rows.get(this.handle, EXPECTED_AT);
  }
  set expectedAt(at: number) {
    this.#rows.set(this.handle, EXPECTED_AT, at);
  }

  /** The number that the tracker gave to its report. */
  get sequence(): number {
    return this.#rows.get(this.handle, SEQUENCE);
  }
  set sequence(number: number) {
    this.#rows.set(this.handle, SEQUENCE, number);
  }
}

/** The coarse location of somebody, which lies in a grid of its own. */
export class Coarse implements Placed, Fixed {
  readonly live: Live;
  readonly handle: number;
  readonly #offsetOf: OffsetOf;
  readonly #rows: NumberRows;

  constructor(rows: NumberRows, live: Live, offsetOf: OffsetOf) {
    this.#rows = rows;
    this.live = live;
    this.handle = live.handle;
    this.#offsetOf = offsetOf;
    Object.assign(this, this.ofNow());
  }

  /** Where it is by the position as it is now. */
  ofNow(): Place {
    return coarsePlace(this.live, this.#offsetOf(this.live));
  }

  get latitude(): number {
    return this.#rows.get(this.handle, COARSE_LATITUDE);
  }
  set latitude(degrees: number) {
    this.#rows.set(this.handle, COARSE_LATITUDE, degrees);
  }

  get longitude(): number {
    return this.#rows.get(this.handle, COARSE_LONGITUDE);
  }
  set longitude(degrees: number) {
    this.#rows.set(this.handle, COARSE_LONGITUDE, degrees);
  }

  get fixAt(): number {
    return this.live.fixAt;
  }
}

/** Whether both may be met at all, and neither has blocked the other. */
export const mayMeet = (a: Live, b: Live): boolean =>
  !a.isAside && !b.isAside && !hasBlocked(a.person, b.person) && !hasBlocked(b.person, a.person);

const hasBlocked = ({ blocked }: Person, { user_id }: Person): boolean =>
  blocked.size > 0 && blocked.has(user_id);

/**
 * Those who fit into one answer, in their order. Whoever has a dog that needs space is not left out for friendly ones, however many are nearer.
 * @param near by distance, as it is shown
 */
export function fitting<T extends { live: Live }>(near: T[], most: number = NEARBY_MAX): T[] {
  if (near.length <= most) return near;
  const wary = near.filter(({ live }) => live.person.dogs.some(needsSpace)).slice(0, most);
  const others = near.filter((one) => !wary.includes(one)).slice(0, most - wary.length);
  const chosen = new Set([...wary, ...others]);
  return near.filter((one) => chosen.has(one));
}

export const needsSpace = ({ sound_type }: Person['dogs'][number]): boolean =>
  sound_type === 'leash_on';

/** Somebody as others see them in an answer or an event. */
export const asNearby = (
  { user_id, display_name, dogs }: Person,
  distance_feet: number,
): NearbyUser => ({ user_id, display_name, distance_feet, dogs });
