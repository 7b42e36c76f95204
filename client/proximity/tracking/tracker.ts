import type { LocationAnswer } from '#shared/proximity/contract.ts';
import { FIX_MAX_AGE_SECONDS, POLL_SECONDS } from '#shared/proximity/rules.ts';
import { RoundTrip } from './rtt-estimator.ts';
import type { Fix, TrackerState, TrackerWorld } from './tracker-dependencies.ts';

/** From a report that failed to the next attempt, in seconds; the last one repeats. */
const RETRIES = [1, 2, 5, 10];
/** At most so many reports wait for their answers: on a slow line the first one's may still come. */
const FLIGHTS_MAX = 4;
/** A fix older than this when a report is due makes us ask for a fresh one. */
const FRESH_MS = 2_000;
const SHORTEST_PAUSE_MS = 250;
/** Clocks that run apart by less are taken for one. */
const AHEAD_MS = 1_000;

/** A report on its way. */
interface Flight {
  /** Milliseconds. */
  sentAt: number;
  control: AbortController;
  /** Ends the watch for its being late. */
  cancel: () => void;
}

/**
 * When to report where we are: the first fix at once, then as the server's `next_update_seconds` says,
 * sooner on a `cadence` event or after a failure. Always the latest fix; where an answer is late, the
 * next report does not wait for it.
 *
 *     const tracker = new Tracker(world);
 *     tracker.start();
 *     watchPosition → tracker.fix(…)    'cadence' event → tracker.cadence(seconds)
 *     online, visible again → tracker.hurry()    switched off → tracker.stop()
 */
export class Tracker {
  readonly #world: TrackerWorld;
  #state: TrackerState = 'stopped';
  #latest: Fix | null = null;
  /** When the next report is due. */
  #due = 0;
  #failures = 0;
  readonly #roundTrip = new RoundTrip();
  /** Those that were sent and not answered, in their order. */
  #flights: Flight[] = [];
  /** The last of them, while its answer is not late. */
  #awaited: Flight | null = null;
  /** Whether the server is known to have no position of ours. */
  #dropped = false;
  #dropping = false;
  #cancelTimer: (() => void) | null = null;

  constructor(world: TrackerWorld) {
    this.#world = world;
  }

  get state(): TrackerState {
    return this.#state;
  }

  start(): void {
    if (this.#state !== 'stopped') return;
    this.#failures = 0;
    this.#dropped = false;
    this.#due = this.#world.now();
    this.#become('waiting');
    this.#wake();
  }

  /** Forgets the position and gives up a report in flight. */
  stop(): void {
    if (this.#state === 'stopped') return;
    this.#cancelTimer?.();
    this.#cancelTimer = null;
    this.#giveUp(this.#flights);
    this.#awaited = null;
    this.#latest = null;
    this.#become('stopped');
  }

  /** The device has a new position. */
  fix(fix: Fix): void {
    if (this.#state === 'stopped') return;
    if (this.#latest && fix.at < this.#latest.at && !this.#isAhead(this.#latest.at)) return;
    this.#latest = fix;
    const isDue = this.#due <= this.#world.now();
    if (isDue || this.#state === 'waiting' || this.#state === 'no-fix') this.#wake();
    else this.review();
  }

  /** What counts as quiet may have changed. */
  review(): void {
    if (this.#state === 'stopped' || !this.#latest) return;
    if (this.#state === 'quiet' || this.#world.isQuiet(this.#latest)) this.#wake();
  }

  /** The server wants the next report within so many seconds. */
  cadence(seconds: number): void {
    if (this.#state === 'stopped') return;
    const now = this.#world.now();
    // What is overdue goes out too: timers of a page out of sight are put off.
    const due = Math.min(this.#due, now + seconds * 1000);
    if (due === this.#due && due > now) return;
    this.#due = due;
    this.#wake();
  }

  /** Reports now: the network or the screen is back. */
  hurry(): void {
    if (this.#state === 'stopped') return;
    this.#failures = 0;
    this.#due = Math.min(this.#due, this.#world.now());
    // Whatever is due: a timer that slept with the phone may still have long to go.
    this.#wake();
  }

  /** Whether this is in the future, as after the clock was set back: then nobody knows how long ago it was. */
  #isAhead(at: number): boolean {
    return at > this.#world.now() + AHEAD_MS;
  }

  #become(state: TrackerState): void {
    if (this.#state === state) return;
    this.#state = state;
    this.#world.changed(state);
  }

  /** Sends if it is time, else sleeps until it is. */
  #wake(): void {
    this.#cancelTimer?.();
    this.#cancelTimer = null;
    if (this.#state === 'stopped' || this.#awaited) return;
    if (this.#latest && this.#world.isQuiet(this.#latest)) return this.#keepQuiet();
    // Its end wakes us: the server must not forget what is reported after it.
    if (this.#dropping) return;
    const now = this.#world.now();
    this.#due = Math.min(this.#due, now + POLL_SECONDS * 1000);
    if (now < this.#due) {
      this.#cancelTimer = this.#world.after(this.#due - now, () => this.#wake());
      return;
    }
    if (this.#latest && this.#isAhead(this.#latest.at)) this.#latest = null;
    const age = this.#latest ? now - this.#latest.at : Infinity;
    if (age > FRESH_MS) this.#world.requestFix();
    if (this.state === 'stopped' || this.#awaited) return;
    const fix = this.#latest;
    if (!fix) return this.#become('waiting');
    // Another one may have come at once.
    if (this.#world.isQuiet(fix)) return this.#keepQuiet();
    if (now - fix.at > FIX_MAX_AGE_SECONDS * 1000) {
      this.#become('no-fix');
      // Asked again until there is one: a fix that comes wakes us at once.
      this.#cancelTimer = this.#world.after(FIX_MAX_AGE_SECONDS * 1000, () => this.#wake());
      return;
    }
    void this.#send(fix, now);
  }

  /** Reports nothing from here, and has the server forget what it was told; looks again for the way out. */
  #keepQuiet(): void {
    this.#giveUp(this.#flights);
    this.#become('quiet');
    this.#due = this.#world.now();
    this.#cancelTimer?.();
    this.#cancelTimer = this.#world.after(FIX_MAX_AGE_SECONDS * 1000, () => {
      this.#world.requestFix();
      this.#wake();
    });
    if (!this.#dropped && !this.#dropping) void this.#drop();
  }

  async #drop(): Promise<void> {
    this.#dropping = true;
    let wait: number | null = null;
    try {
      await this.#world.drop();
      this.#dropped = true;
      this.#failures = 0;
    } catch (error) {
      const soon = this.#soon();
      wait = this.#world.failed(error) ?? soon;
    } finally {
      this.#dropping = false;
    }
    if (wait === null) return this.#wake();
    if (this.#state === 'stopped') return;
    this.#cancelTimer?.();
    this.#cancelTimer = this.#world.after(wait * 1000, () => this.#wake());
  }

  async #send(fix: Fix, now: number): Promise<void> {
    this.#dropped = false;
    const flight: Flight = { sentAt: now, control: new AbortController(), cancel() {} };
    this.#giveUp(this.#flights.slice(0, 1 - FLIGHTS_MAX));
    this.#flights.push(flight);
    this.#awaited = flight;
    // Until the answer says otherwise; a cadence event that overtakes the answer shortens it.
    this.#due = Infinity;
    this.#watch(flight);
    const report = {
      latitude: fix.latitude,
      longitude: fix.longitude,
      speed: fix.speed,
      heading: fix.heading,
      accuracy: fix.accuracy,
      // Who hears of a meeting only that much later is told of it so much sooner.
      age_seconds: (Math.max(0, now - fix.at) + this.#roundTrip.expected) / 1000,
    };
    const answer = await this.#world.post(report, flight.control.signal).catch((error: unknown) => {
      this.#failed(flight, error);
      this.#giveUp([flight]);
      return null;
    });
    flight.cancel();
    if (answer) this.#answered(flight, answer);
  }

  /** Goes on without its answer once that is late, by what is known of the line by then. */
  #watch(flight: Flight): void {
    const left = flight.sentAt + this.#roundTrip.patience - this.#world.now();
    if (left > 0) {
      flight.cancel = this.#world.after(left, () => this.#watch(flight));
      return;
    }
    if (this.#awaited === flight) this.#roundTrip.wasLate();
    this.#failed(flight, new Error('No answer in time'));
  }

  #answered(flight: Flight, answer: LocationAnswer): void {
    const place = this.#flights.indexOf(flight);
    if (place === -1) return;
    const now = this.#world.now();
    this.#roundTrip.took(now - flight.sentAt);
    this.#failures = 0;
    this.#flights.splice(place, 1);
    // Their answers would be older than this one.
    this.#giveUp(this.#flights.slice(0, place));
    this.#become('active');
    // A later one that is on its way says when the next is due.
    if (!this.#awaited || this.#awaited === flight) {
      this.#awaited = null;
      this.#sendAfter(flight, answer.next_update_seconds);
    }
    this.#world.answered(answer);
  }

  /** A report was refused or lost, or its answer is late; it may come yet. */
  #failed(flight: Flight, error: unknown): void {
    if (this.#awaited !== flight) return;
    this.#awaited = null;
    const soon = this.#soon();
    this.#become('offline');
    const told = this.#world.failed(error);
    const elapsed = (this.#world.now() - flight.sentAt) / 1000;
    this.#sendAfter(flight, told === null ? soon : told + elapsed);
  }

  /** @param seconds counted from when we sent: a slow answer must not stretch the rhythm */
  #sendAfter(flight: Flight, seconds: number): void {
    if (this.#state === 'stopped') return;
    const due = Math.max(flight.sentAt + seconds * 1000, this.#world.now() + SHORTEST_PAUSE_MS);
    this.#due = Math.min(this.#due, due);
    this.#wake();
  }

  /** Seconds until what has failed once more is tried again. */
  #soon(): number {
    this.#failures += 1;
    return RETRIES[Math.min(this.#failures, RETRIES.length) - 1] ?? 10;
  }

  #giveUp(flights: readonly Flight[]): void {
    this.#flights = this.#flights.filter((flight) => !flights.includes(flight));
    for (const { control } of flights) control.abort();
  }
}
