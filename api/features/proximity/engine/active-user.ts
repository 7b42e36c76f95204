import { metersBetween, type Place } from '#shared/place.ts';
import type { NearbyUser, PositionReport, ReportOrder } from '#shared/proximity/contract.ts';
import {
  displayRadiusFeet,
  isTooRough,
  NEARBY_MAX,
  RADIUS_FEET,
  RADIUS_METERS,
  STALE_SECONDS,
  REPEAT_SECONDS,
} from '#shared/proximity/rules.ts';
import { coarsePlace, type OffsetOf } from './coarse-location.ts';
import { type Fix, type FixedPlace, MAX_SPEED, MotionFilter } from './motion-filter.ts';

/** A user's profile as others see it, and the users that don't see it. */
export interface Person {
  user_id: string;
  display_name: string;
  dogs: NearbyUser['dogs'];
  /** The ids of `dogs`, in their order. Others don't see them. */
  dog_ids?: readonly string[];
  /** Users that this one blocked, and users that blocked this one. */
  blocked: ReadonlySet<string>;
}

/** Returns a person with only the dogs that came along. @param along ids, as in a report */
export function withDogsAlong(person: Person, along: PositionReport['dog_ids']): Person {
  const { dogs, dog_ids: ids } = person;
  if (!along || !ids) return person;
  const came = (index: number) => along.includes(ids[index] ?? '');
  const kept = dogs.filter((_, index) => came(index));
  const isOutdated = kept.length === 0 && along.length > 0;
  if (isOutdated || kept.length === dogs.length) return person;
  return { ...person, dogs: kept, dog_ids: ids.filter((_, index) => came(index)) };
}

/** Returns those of a person's dogs that came along, as `withDogsAlong` does. @param along their ids; all came if it is missing */
export function dogsAlong<D extends { id: string }>(
  dogs: readonly D[],
  along: readonly string[] | null | undefined,
): D[] {
  const kept = dogs.filter(({ id }) => !along || along.includes(id));
  return kept.length === 0 && along && along.length > 0 ? [...dogs] : kept;
}

/** How a user is together with another one: by which of their own devices, and when positions last confirmed it, in milliseconds. */
interface Companion {
  device: string;
  at: number;
}

/** A user who is sharing their position now. Times in milliseconds. */
export class ActiveUser implements FixedPlace {
  /** With the dogs that came along. */
  person: Person;
  /** The ids of the dogs that came along; undefined if all did. */
  dogsAlong: PositionReport['dog_ids'];
  latitude: number;
  longitude: number;
  /** When the fix was taken. */
  fixAt: number;
  /** When its report arrived. */
  reportedAt: number;
  /** When the next report is due. */
  dueAt = 0;
  /** When the next report is due if a request to report earlier was lost. */
  expectedAt = 0;
  /** The session of the device that sent the position; '' if unknown. */
  device = '';
  /** The id that the tracker on that device gave itself; '' if none. */
  tracker = '';
  /** The number that the tracker gave its report. */
  sequence = 0;
  /** All devices of the user; null while there is only one. */
  devices: Devices | null = null;
  /** The users that this one has met and not left since; null until there is one. */
  companions: Map<ActiveUser, Companion> | null = null;
  /** Predicted encounters by the other user, each with the function that cancels it; null until there is one. */
  predicted: Map<ActiveUser, () => void> | null = null;
  /** Whether another node received the last report, or it was loaded from the database. */
  isForeign = false;
  /** Whether the position must not trigger encounters: see `isIneligible`. */
  isIneligible = false;
  /** Whether the user walks without their name. */
  isNameless = false;
  /** The radius within which the user sees others, in feet: see `displayRadiusFeet`. */
  radiusFeet = RADIUS_FEET;
  /** The users who are shown this one beyond encounters, and whom this one is shown; null until there is one. See `Sightings`. */
  sights: Set<ActiveUser> | null = null;
  /** The report that the position is from; null if it was loaded. */
  placedBy: PositionReport | null = null;
  /** All that others may learn of the position before both are notified. */
  readonly coarse: CoarseLocation;
  #motion: MotionFilter | null = null;

  constructor(person: Person, report: PositionReport, at: number, offsetOf: OffsetOf) {
    this.latitude = report.latitude;
    this.longitude = report.longitude;
    this.#applySettings(report);
    this.person = withDogsAlong(person, this.dogsAlong);
    this.fixAt = at;
    this.reportedAt = at;
    this.coarse = new CoarseLocation(this, offsetOf);
  }

  get motion(): MotionFilter {
    const { latitude, longitude, fixAt: at } = this;
    return (this.#motion ??= new MotionFilter({ latitude, longitude, at }));
  }

  addFix(fix: Fix): void {
    if (this.#motion) this.#motion.add(fix);
    else this.#motion = new MotionFilter(fix);
  }

  /** Applies a profile and, unless the report is null, what the user chose for this walk. */
  update(person: Person, report: PositionReport | null): void {
    if (report) this.#applySettings(report);
    this.person = withDogsAlong(person, this.dogsAlong);
  }

  #applySettings({ radius_feet, is_nameless, dog_ids }: PositionReport): void {
    this.dogsAlong = dog_ids;
    this.radiusFeet = displayRadiusFeet(radius_feet ?? RADIUS_FEET);
    this.isNameless = is_nameless ?? false;
  }

  /** Records which device has reported, even if its position is not used. */
  recordDevice(device: string, report: PositionReport, now: number): void {
    if (this.device !== '' && device !== this.device) this.devices ??= new Devices(this);
    this.devices?.record(device, report, now);
  }

  /** Whether a report is from a device that the user left somewhere: it has not moved, and another one of theirs is carried. */
  isLeftBehind(device: string, report: PositionReport): boolean {
    return (
      this.devices !== null &&
      device !== this.device &&
      this.devices.isCarried(this.device) &&
      !this.devices.hasMoved(device, report)
    );
  }
}

/** A user near another one, and how far away, in meters. */
export interface Neighbor {
  user: ActiveUser;
  meters: number;
}

/** The coarse location of a user, which is in a grid of its own. */
export class CoarseLocation implements FixedPlace {
  readonly user: ActiveUser;
  latitude: number;
  longitude: number;
  readonly #offsetOf: OffsetOf;

  constructor(user: ActiveUser, offsetOf: OffsetOf) {
    this.user = user;
    this.#offsetOf = offsetOf;
    ({ latitude: this.latitude, longitude: this.longitude } = this.current());
  }

  /** Computes the coarse location of the user's position now. */
  current(): Place {
    return coarsePlace(this.user, this.#offsetOf(this.user));
  }

  /** Computes the coarse location that decides about warnings without names. */
  anonymous(): Place {
    return coarsePlace(this.user, this.#offsetOf(this.user, true));
  }

  get fixAt(): number {
    return this.user.fixAt;
  }
}

interface Device {
  /** Where it was first, or when it last moved. */
  place: Place;
  /** Meters. */
  accuracy: number;
  /** When it last reported, in milliseconds. */
  at: number;
}

/** The devices of a user who shares from several: which one is carried, and which ones lie somewhere. */
class Devices {
  readonly #devices = new Map<string, Device>();
  /** The one that moved last; '' while none did. */
  #carried = '';

  /** @param user a user with one known device so far */
  constructor({ device, latitude, longitude, reportedAt }: ActiveUser) {
    this.#devices.set(device, { place: { latitude, longitude }, accuracy: 0, at: reportedAt });
  }

  record(device: string, report: PositionReport, now: number): void {
    const hasMoved = this.hasMoved(device, report);
    if (hasMoved) this.#carried = device;
    const known = this.#devices.get(device);
    if (known && !hasMoved) {
      known.at = now;
      return;
    }
    for (const [each, { at }] of this.#devices)
      if (at < now - STALE_SECONDS * 1000) this.#devices.delete(each);
    const { latitude, longitude, accuracy } = report;
    this.#devices.set(device, { place: { latitude, longitude }, accuracy: accuracy ?? 0, at: now });
  }

  /** Whether a device moved far enough to matter for encounters, and farther than inaccurate fixes explain. */
  hasMoved(device: string, report: PositionReport): boolean {
    const known = this.#devices.get(device);
    if (!known) return false;
    const uncertainty = known.accuracy + (report.accuracy ?? 0);
    return metersBetween(known.place, report) > Math.max(RADIUS_METERS, uncertainty);
  }

  isCarried(device: string): boolean {
    return device === this.#carried;
  }

  /** In milliseconds; -Infinity if it never reported. */
  reportedAt(device: string): number {
    return this.#devices.get(device)?.at ?? -Infinity;
  }
}

export const isDriving = ({ speed }: PositionReport): boolean => (speed ?? 0) > MAX_SPEED;

/** Whether a report must not trigger encounters because it is too inaccurate or comes from a vehicle. */
export const isIneligible = (report: PositionReport): boolean =>
  isTooRough(report) || isDriving(report);

/**
 * Selects the users who fit into one answer and keeps their order. Users with a dog that needs space come before others, however many
 * are nearer.
 * @param near by distance, as it is shown
 */
export function selectNearby<T extends { user: ActiveUser }>(near: T[], max = NEARBY_MAX): T[] {
  if (near.length <= max) return near;
  const withReactiveDogs = near.filter(({ user }) => user.person.dogs.some(needsSpace));
  const first = withReactiveDogs.slice(0, max);
  const others = near.filter((one) => !first.includes(one)).slice(0, max - first.length);
  const selected = new Set([...first, ...others]);
  return near.filter((one) => selected.has(one));
}

export const needsSpace = ({ sound_type }: Person['dogs'][number]): boolean =>
  sound_type === 'leash_on';

/** Returns a user as others see them in an answer or an event. */
export const asNearby = (
  { user_id, display_name, dogs }: Person,
  distance_feet: number,
): NearbyUser => ({ user_id, display_name, distance_feet, dogs });

/** Whether two users who met are within the radius by their last positions, too. */
export const isTogether = (one: ActiveUser, other: ActiveUser): boolean =>
  one.companions?.has(other) === true && metersBetween(one, other) <= RADIUS_METERS;

/** Detects reports that arrive after newer ones of the same tracker. */
export class ReportSequence {
  /** The last numbers of trackers that are not in use: their users stopped sharing, or report by another one. */
  #recent = new Map<string, number>();
  /** The numbers from before `#recent` was started; replaced with it, so that none needs a time of its own. */
  #older = new Map<string, number>();
  #startedAt = -Infinity;

  isLate(user: ActiveUser | undefined, { device, sequence }: ReportOrder): boolean {
    if (device === undefined || sequence === undefined) return false;
    const last =
      user?.tracker === device
        ? user.sequence
        : (this.#recent.get(device) ?? this.#older.get(device) ?? -1);
    return sequence <= last;
  }

  /** Records a report that is used. */
  accept(user: ActiveUser, { device = '', sequence = -1 }: ReportOrder, now: number): void {
    if (device !== user.tracker) {
      this.retire(user, now);
      user.tracker = device;
    }
    user.sequence = sequence;
  }

  /** Remembers the tracker of a user who stops sharing or reports by another one. */
  retire(user: ActiveUser, now: number): void {
    const { tracker: device, sequence } = user;
    if (device !== '') this.ignoreUpTo({ device, sequence }, now);
  }

  /** Ignores what a tracker sent up to this number. */
  ignoreUpTo({ device, sequence }: ReportOrder, now: number): void {
    if (device === undefined || sequence === undefined) return;
    if (now - this.#startedAt > STALE_SECONDS * 1000) {
      this.#older = this.#recent;
      this.#recent = new Map();
      this.#startedAt = now;
    }
    const last = this.#recent.get(device) ?? this.#older.get(device) ?? -1;
    this.#recent.set(device, Math.max(last, sequence));
  }
}

/** How far beyond a radius two users must be apart before they can meet again, so that jitter at its edge does not count. */
export const SEPARATED_METERS = 10;

export const pairKey = (a: ActiveUser, b: ActiveUser) =>
  a.person.user_id < b.person.user_id
    ? `${a.person.user_id} ${b.person.user_id}`
    : `${b.person.user_id} ${a.person.user_id}`;

function joinPair(one: ActiveUser, other: ActiveUser, at: number): void {
  (one.companions ??= new Map()).set(other, { device: one.device, at });
  (other.companions ??= new Map()).set(one, { device: other.device, at });
}

function separatePair(one: ActiveUser, other: ActiveUser): void {
  one.companions?.delete(other);
  other.companions?.delete(one);
}

/** Whether it was so long ago that positions confirmed two users as being together that both must be notified again. */
const isExpired = (one: ActiveUser, other: ActiveUser, now: number): boolean =>
  now - (one.companions?.get(other)?.at ?? -Infinity) > STALE_SECONDS * 1000;

/**
 * Whether the device by which a user was with another one has left: it is the one that reports elsewhere now, it is silent, or the user
 * carries another one and left it behind.
 */
function hasLeft(user: ActiveUser, other: ActiveUser, now: number): boolean {
  const device = user.companions?.get(other)?.device;
  if (device === undefined || device === user.device || !user.devices) return true;
  if (user.devices.isCarried(user.device)) return true;
  return now - user.devices.reportedAt(device) > STALE_SECONDS * 1000;
}

/** Remembers which users were notified of each other: once per encounter, and not twice within the repeat window. */
export class NotifiedPairs {
  /** When each pair was last notified, oldest first. */
  readonly #at = new Map<string, number>();

  /** Whether two users are still together, or were notified within the window, even if one stopped sharing in between. */
  isRecent(one: ActiveUser, other: ActiveUser, now: number): boolean {
    if (one.companions?.has(other)) {
      if (!isExpired(one, other, now)) return true;
      separatePair(one, other);
    }
    const at = this.#at.get(pairKey(one, other));
    return at !== undefined && at > now - REPEAT_SECONDS * 1000;
  }

  /** Adds a pair that another node notified, unless this one knows. */
  restore(one: ActiveUser, other: ActiveUser, at: number): void {
    const known = this.#at.get(pairKey(one, other)) ?? -Infinity;
    if (known <= at - REPEAT_SECONDS * 1000) this.add(one, other, at);
  }

  add(one: ActiveUser, other: ActiveUser, at: number): void {
    joinPair(one, other, at);
    const key = pairKey(one, other);
    this.#at.delete(key);
    this.#at.set(key, at);
  }

  /**
   * Separates a user who moved from those with whom they are no longer together. Ineligible positions are skipped, and so is
   * the position of another device, which may lie at home while its owner is still with them.
   */
  separate(user: ActiveUser, now: number): void {
    for (const other of user.companions?.keys() ?? [])
      if (isExpired(user, other, now)) separatePair(user, other);
      else if (user.isIneligible || other.isIneligible) continue;
      else if (metersBetween(user, other) <= RADIUS_METERS + SEPARATED_METERS)
        joinPair(user, other, now);
      else if (hasLeft(user, other, now) && hasLeft(other, user, now)) separatePair(user, other);
  }

  remove(user: ActiveUser): void {
    for (const other of user.companions?.keys() ?? []) other.companions?.delete(user);
  }

  removeExpired(now: number): void {
    for (const [key, at] of this.#at) {
      if (at > now - REPEAT_SECONDS * 1000) break;
      this.#at.delete(key);
    }
  }
}
