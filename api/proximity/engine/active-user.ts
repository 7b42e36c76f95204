import { metersBetween, type Place } from '#shared/place.ts';
import type { NearbyUser, PositionReport } from '#shared/proximity/contract.ts';
import { NEARBY_MAX, RADIUS_METERS, STALE_SECONDS } from '#shared/proximity/rules.ts';
import { coarsePlace, type OffsetOf } from './coarse-location.ts';
import { type Fix, type FixedPlace, MotionFilter } from './motion-filter.ts';

/** A user's profile as others see it, and the users that don't see it. */
export interface Person {
  user_id: string;
  display_name: string;
  dogs: NearbyUser['dogs'];
  /** Users that this one blocked, and users that blocked this one. */
  blocked: ReadonlySet<string>;
}

/** How a user is together with another one: by which of their own devices, and when positions last confirmed it, in milliseconds. */
interface Companion {
  device: string;
  at: number;
}

/** A user who is sharing their position now. Times in milliseconds. */
export class ActiveUser implements FixedPlace {
  person: Person;
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
  /** All that others may learn of the position before both are notified. */
  readonly coarse: CoarseLocation;
  #motion: MotionFilter | null = null;

  constructor(person: Person, { latitude, longitude }: Place, at: number, offsetOf: OffsetOf) {
    this.person = person;
    this.latitude = latitude;
    this.longitude = longitude;
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

/** Whether two users may meet: both positions are eligible, and neither has blocked the other. */
export const mayMeet = (a: ActiveUser, b: ActiveUser): boolean =>
  !a.isIneligible &&
  !b.isIneligible &&
  !hasBlocked(a.person, b.person) &&
  !hasBlocked(b.person, a.person);

const hasBlocked = ({ blocked }: Person, { user_id }: Person): boolean =>
  blocked.size > 0 && blocked.has(user_id);

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
