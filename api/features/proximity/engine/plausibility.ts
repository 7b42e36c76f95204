import { metersBetween, type Place } from '#shared/place.ts';
import { HOUR_MS } from '#shared/time.ts';

/** People don't travel faster than this without an airplane; meters per second. */
const FASTEST_TRAVEL = 40;
/** How far positions may jump beyond that, in meters: satellites, Wi-Fi and cells put one spot in several places. */
const SLACK_METERS = 150;
/** How fast used slack is refilled; meters per second. */
const SLACK_REFILL = 10;
/** A relocation counts once a report this much later confirms it; milliseconds. */
const CONFIRM_MS = 10_000;
/** A jump that was not reported again within this time is forgotten; milliseconds. */
const PENDING_MS = 45_000;
/** Maximum number of relocations of a person per hour, on all devices together. */
const RELOCATIONS_MAX = 6;
/** Maximum number of remembered places of relocations. */
const PLACES_MAX = 4;
/** Decimals of the remembered place of a person who stopped sharing: about 100 m. */
const REMEMBERED_DECIMALS = 3;

/** A place at a time, and how far a report may be off the way from there. */
interface Anchor {
  place: Place;
  at: number;
  slack: number;
}

interface Device {
  believed: Anchor | null;
  /** The last report of a place that the device could not have reached, and the time of the first one. */
  pending: (Anchor & { since: number }) | null;
}

interface Person {
  /** Places before and after relocations. Returning to one is not another relocation. */
  places: Place[];
  devices: Map<string, Device>;
  /** When relocations were confirmed in the last hour. */
  relocations: number[];
}

/**
 * Decides whether a person can be where a report says (decision 24). It remembers a person for an hour after they stopped
 * sharing, so that toggling sharing does not circumvent it. Times in milliseconds.
 */
export class Plausibility {
  readonly #people = new Map<string, Person>();

  /** Records a plausible position of a person. */
  observe(userId: string, device: string, { latitude, longitude }: Place, at: number): void {
    let person = this.#people.get(userId);
    if (!person)
      this.#people.set(userId, (person = { devices: new Map(), relocations: [], places: [] }));
    const before = person.devices.get(device)?.believed;
    // The report was checked a moment ago, but has not moved the user yet.
    if (before && before.at >= at) return;
    const slack = before ? refilled(before, (at - before.at) / 1000) : SLACK_METERS;
    const pending = person.devices.get(device)?.pending ?? null;
    person.devices.set(device, {
      believed: { place: { latitude, longitude }, at, slack },
      pending,
    });
  }

  /**
   * Checks a report. An impossible jump counts once another report from there, at least ten seconds later, confirms it. A new
   * device may be where another one of the same person was, or could have gone.
   * @returns seconds until the position may count: 0 if it does now, Infinity if the hour's relocations are used up
   */
  check(userId: string, device: string, { latitude, longitude }: Place, now: number): number {
    const place = { latitude, longitude };
    this.#expire(userId, now);
    const person = this.#people.get(userId);
    if (!person) {
      this.observe(userId, device, place, now);
      return 0;
    }
    const known = person.devices.get(device) ?? { believed: null, pending: null };
    const from = known.believed ? [known.believed] : believedOf(person);
    for (const anchor of from) {
      const slack = slackLeft(anchor, place, now);
      if (slack < 0) continue;
      known.believed = { place, at: now, slack };
      person.devices.set(device, known);
      return 0;
    }
    const isKnown = person.places.some((each) => metersBetween(each, place) <= SLACK_METERS);
    if (!isKnown && person.relocations.length >= RELOCATIONS_MAX) return Infinity;
    person.devices.set(device, known);
    const { pending } = known;
    if (!pending || now - pending.at > PENDING_MS || slackLeft(pending, place, now) < 0) {
      known.pending = { place, at: now, since: now, slack: SLACK_METERS };
      return CONFIRM_MS / 1000;
    }
    Object.assign(pending, { place, at: now });
    const wait = pending.since + CONFIRM_MS - now;
    if (wait > 0) return wait / 1000;
    if (!isKnown) person.relocations.push(now);
    const left = known.believed?.place ?? from.at(-1)?.place;
    person.places = [...(left ? [left] : []), place, ...person.places].slice(0, PLACES_MAX);
    known.believed = { place, at: now, slack: SLACK_METERS };
    known.pending = null;
    return 0;
  }

  /** Rounds the remembered places of a person who stopped sharing. */
  blur(userId: string): void {
    for (const device of this.#people.get(userId)?.devices.values() ?? []) {
      device.pending = null;
      if (!device.believed) continue;
      const { latitude, longitude } = device.believed.place;
      device.believed.place = { latitude: rounded(latitude), longitude: rounded(longitude) };
    }
  }

  /** Forgets people who have not reported for an hour. */
  forgetOld(now: number): void {
    for (const userId of this.#people.keys()) this.#expire(userId, now);
  }

  #expire(userId: string, now: number): void {
    const person = this.#people.get(userId);
    if (!person) return;
    for (const [name, { believed, pending }] of person.devices)
      if (now - Math.max(believed?.at ?? 0, pending?.at ?? 0) > HOUR_MS)
        person.devices.delete(name);
    person.relocations = person.relocations.filter((at) => at > now - HOUR_MS);
    if (believedOf(person).length === 0) this.#people.delete(userId);
  }
}

const believedOf = ({ devices }: Person): Anchor[] =>
  [...devices.values()].flatMap(({ believed }) => (believed ? [believed] : []));

/** Returns the slack that is left for a report from this place, in meters; negative if the place is out of reach. */
function slackLeft(from: Anchor, to: Place, now: number): number {
  const seconds = Math.max(0, now - from.at) / 1000;
  return refilled(from, seconds) - Math.max(0, excessMeters(from.place, to, seconds));
}

const refilled = ({ slack }: Anchor, seconds: number): number =>
  Math.min(SLACK_METERS, slack + SLACK_REFILL * Math.max(0, seconds));

/** Returns by how many meters one place is farther from another than people travel in this many seconds. */
const excessMeters = (from: Place, to: Place, seconds: number): number =>
  metersBetween(from, to) - FASTEST_TRAVEL * Math.max(0, seconds);

/** Whether a person can travel from one place to another in this many seconds, without any slack. */
export const isWithinTravel = (from: Place, to: Place, seconds: number): boolean =>
  excessMeters(from, to, seconds) <= 0;

const rounded = (degrees: number) => Number(degrees.toFixed(REMEMBERED_DECIMALS));
