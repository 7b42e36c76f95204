import type { LocationAnswer, PositionReport } from '#shared/proximity/contract.ts';
import { FIX_MAX_AGE_SECONDS, POLL_SECONDS } from '#shared/proximity/rules.ts';

/** However long a proxy asks to wait: without reports there are no warnings. */
const RETRY_MAX_SECONDS = 60;

/** Time source of the warnings, replaceable in tests. */
export interface Clock {
  /** Milliseconds. */
  now: () => number;
  /** Runs a callback once; returns how to cancel it. */
  after: (milliseconds: number, run: () => void) => () => void;
}

/** This device's clock. */
export const deviceClock: Clock = {
  now: () => Date.now(),
  after(milliseconds, run) {
    const timer = setTimeout(run, milliseconds);
    return () => clearTimeout(timer);
  },
};

/** A position as the device's geolocation gave it. */
export interface Fix {
  latitude: number;
  longitude: number;
  /** Meters. */
  accuracy: number | null;
  /** Meters per second; degrees from north. */
  speed: number | null;
  heading: number | null;
  /** When it was taken, in milliseconds of the tracker's clock. */
  at: number;
}

/**
 * `waiting`: no fix yet. `active`: the last report was answered. `no-fix`: the last fix is too old to send.
 * `offline`: the last report failed. `quiet`: in a quiet place, where nothing is reported. `stopped`: not tracking.
 */
export type TrackerState = 'stopped' | 'waiting' | 'active' | 'no-fix' | 'offline' | 'quiet';

/** What the tracker depends on; tests and the bench simulate it. */
export interface TrackerDependencies extends Clock {
  /** POST /api/location. Rejects when it fails or when the signal aborts it. */
  post(report: PositionReport, signal: AbortSignal): Promise<LocationAnswer>;
  /** Whether this fix is in a quiet place and must not be reported. */
  isQuiet(fix: Fix): boolean;
  /** DELETE /api/location: makes the server forget the last position. */
  drop(): Promise<unknown>;
  /** Asks the device for a fresh fix, delivered through `fix()`: a phone at rest may not give one unasked. */
  requestFix(): void;
  answered(answer: LocationAnswer): void;
  /**
   * Called when a report failed. Returns how many seconds to wait at least (Retry-After), or null to retry
   * soon. May call `stop()` if a retry makes no sense.
   */
  failed(error: unknown): number | null;
  changed(state: TrackerState): void;
}

/** Bounds of the timeout after which a report counts as late, in milliseconds. */
const LEAST_MS = 2_500;
const MOST_MS = 10_000;
/** Factor applied to the timeout after a late answer. */
const BACKOFF = 1.5;

/** Estimates the round-trip time as TCP does (RFC 6298), from a moving average and its variation. Milliseconds. */
class RoundTrip {
  #smoothed: number | null = null;
  #variation = 0;
  #backoff = 1;

  /** Expected round trip of the next report; 0 before the first answer. */
  get expected(): number {
    return Math.min(MOST_MS, this.#smoothed ?? 0);
  }

  /** After how long a report is late. */
  get timeout(): number {
    const longest = (this.#smoothed ?? 0) + 4 * this.#variation;
    return Math.min(MOST_MS, Math.max(LEAST_MS, longest) * this.#backoff);
  }

  took(milliseconds: number): void {
    this.#backoff = 1;
    if (this.#smoothed === null) {
      this.#smoothed = milliseconds;
      this.#variation = milliseconds / 2;
      return;
    }
    this.#variation += (Math.abs(milliseconds - this.#smoothed) - this.#variation) / 4;
    this.#smoothed += (milliseconds - this.#smoothed) / 8;
  }

  /** Lengthens the timeout: the connection may be slower than estimated. */
  wasLate(): void {
    this.#backoff *= BACKOFF;
  }
}

/** Delays between a failed report and the next attempt, in seconds; the last one repeats. */
const RETRIES = [1, 2, 5, 10];
/** Maximum number of reports in flight: on a slow connection the first answer may still arrive. */
const FLIGHTS_MAX = 4;
/** A fix older than this when a report is due makes us ask for a fresh one. */
const FRESH_MS = 2_000;
const SHORTEST_PAUSE_MS = 250;
/** A timestamp may be this far ahead of the clock before it counts as being in the future. */
const AHEAD_MS = 1_000;

/** A report on its way. */
interface Flight {
  /** Milliseconds. */
  sentAt: number;
  control: AbortController;
  /** Cancels the timeout. */
  cancel: () => void;
}

/**
 * Schedules position reports: the first fix at once, then by the server's `next_update_seconds`, sooner on a
 * `cadence` event or after a failure. Always sends the latest fix; a late answer doesn't delay the next report.
 *
 *     const tracker = new Tracker(dependencies);
 *     tracker.start();
 *     watchPosition → tracker.fix(…)    'cadence' event → tracker.cadence(seconds)
 *     online, visible again → tracker.hurry()    switched off → tracker.stop()
 *
 * Decision 24.
 */
export class Tracker {
  readonly #deps: TrackerDependencies;
  #state: TrackerState = 'stopped';
  #latest: Fix | null = null;
  /** When the next report is due. */
  #due = 0;
  #failures = 0;
  readonly #roundTrip = new RoundTrip();
  /** Sent but unanswered reports, in order. */
  #flights: Flight[] = [];
  /** The last of them, until its answer is late. */
  #awaited: Flight | null = null;
  /** Whether the server has confirmed that it deleted our position. */
  #dropped = false;
  #dropping = false;
  #cancelTimer: (() => void) | null = null;

  constructor(dependencies: TrackerDependencies) {
    this.#deps = dependencies;
  }

  get state(): TrackerState {
    return this.#state;
  }

  start(): void {
    if (this.#state !== 'stopped') return;
    this.#failures = 0;
    this.#dropped = false;
    this.#due = this.#deps.now();
    this.#become('waiting');
    this.#wake();
  }

  /** Forgets the position and aborts reports in flight. */
  stop(): void {
    if (this.#state === 'stopped') return;
    this.#cancelTimer?.();
    this.#cancelTimer = null;
    this.#giveUp(this.#flights);
    this.#awaited = null;
    this.#latest = null;
    this.#become('stopped');
  }

  /** Handles a new position from the device. */
  fix(fix: Fix): void {
    if (this.#state === 'stopped') return;
    if (this.#latest && fix.at < this.#latest.at && !this.#isAhead(this.#latest.at)) return;
    this.#latest = fix;
    const isDue = this.#due <= this.#deps.now();
    if (isDue || this.#state === 'waiting' || this.#state === 'no-fix') this.#wake();
    else this.review();
  }

  /** Checks again whether the position is in a quiet place. */
  review(): void {
    if (this.#state === 'stopped' || !this.#latest) return;
    if (this.#state === 'quiet' || this.#deps.isQuiet(this.#latest)) this.#wake();
  }

  /** The server wants the next report within this many seconds. */
  cadence(seconds: number): void {
    if (this.#state === 'stopped') return;
    const now = this.#deps.now();
    // Also sends an overdue report: browsers delay the timers of background pages.
    const due = Math.min(this.#due, now + seconds * 1000);
    if (due === this.#due && due > now) return;
    this.#due = due;
    this.#wake();
  }

  /** Reports now: the network or the screen is back. */
  hurry(): void {
    if (this.#state === 'stopped') return;
    this.#failures = 0;
    this.#due = Math.min(this.#due, this.#deps.now());
    // Wakes even if nothing is due: a timer that was suspended with the phone may be far behind.
    this.#wake();
  }

  /** Whether a timestamp is in the future, such as after the clock was set back; its age is unknown then. */
  #isAhead(at: number): boolean {
    return at > this.#deps.now() + AHEAD_MS;
  }

  #become(state: TrackerState): void {
    if (this.#state === state) return;
    this.#state = state;
    this.#deps.changed(state);
  }

  /** Sends if it is time, else sleeps until it is. */
  #wake(): void {
    this.#cancelTimer?.();
    this.#cancelTimer = null;
    if (this.#state === 'stopped' || this.#awaited) return;
    if (this.#latest && this.#deps.isQuiet(this.#latest)) return this.#becomeQuiet();
    // Waits for the deletion, or the server would delete the newer report; #drop wakes us when done.
    if (this.#dropping) return;
    const now = this.#deps.now();
    this.#due = Math.min(this.#due, now + POLL_SECONDS * 1000);
    if (now < this.#due) {
      this.#cancelTimer = this.#deps.after(this.#due - now, () => this.#wake());
      return;
    }
    if (this.#latest && this.#isAhead(this.#latest.at)) this.#latest = null;
    const age = this.#latest ? now - this.#latest.at : Infinity;
    if (age > FRESH_MS) this.#deps.requestFix();
    if (this.state === 'stopped' || this.#awaited) return;
    const fix = this.#latest;
    if (!fix) return this.#become('waiting');
    // requestFix() may have delivered another fix synchronously.
    if (this.#deps.isQuiet(fix)) return this.#becomeQuiet();
    if (now - fix.at > FIX_MAX_AGE_SECONDS * 1000) {
      this.#become('no-fix');
      // Asks again until there is one; a new fix wakes us at once.
      this.#cancelTimer = this.#deps.after(FIX_MAX_AGE_SECONDS * 1000, () => this.#wake());
      return;
    }
    void this.#send(fix, now);
  }

  /** Stops reporting, makes the server forget the last position, and checks regularly whether the quiet place was left. */
  #becomeQuiet(): void {
    this.#giveUp(this.#flights);
    this.#become('quiet');
    this.#due = this.#deps.now();
    this.#cancelTimer?.();
    this.#cancelTimer = this.#deps.after(FIX_MAX_AGE_SECONDS * 1000, () => {
      this.#deps.requestFix();
      this.#wake();
    });
    if (!this.#dropped && !this.#dropping) void this.#drop();
  }

  async #drop(): Promise<void> {
    this.#dropping = true;
    let wait: number | null = null;
    try {
      await this.#deps.drop();
      this.#dropped = true;
      this.#failures = 0;
    } catch (error) {
      const retrySeconds = this.#nextRetrySeconds();
      wait = this.#deps.failed(error) ?? retrySeconds;
    } finally {
      this.#dropping = false;
    }
    if (wait === null) return this.#wake();
    if (this.#state === 'stopped') return;
    this.#cancelTimer?.();
    this.#cancelTimer = this.#deps.after(wait * 1000, () => this.#wake());
  }

  async #send(fix: Fix, now: number): Promise<void> {
    this.#dropped = false;
    const flight: Flight = { sentAt: now, control: new AbortController(), cancel() {} };
    this.#giveUp(this.#flights.slice(0, 1 - FLIGHTS_MAX));
    this.#flights.push(flight);
    this.#awaited = flight;
    // Until the answer sets it; a cadence event that overtakes the answer shortens it.
    this.#due = Infinity;
    this.#watch(flight);
    const report = {
      latitude: fix.latitude,
      longitude: fix.longitude,
      speed: fix.speed,
      heading: fix.heading,
      accuracy: fix.accuracy,
      // Includes the expected latency, so that the server predicts encounters that much earlier.
      age_seconds: (Math.max(0, now - fix.at) + this.#roundTrip.expected) / 1000,
    };
    const answer = await this.#deps.post(report, flight.control.signal).catch((error: unknown) => {
      this.#failed(flight, error);
      this.#giveUp([flight]);
      return null;
    });
    flight.cancel();
    if (answer) this.#answered(flight, answer);
  }

  /** Continues without the answer once it is late by the current timeout. */
  #watch(flight: Flight): void {
    const left = flight.sentAt + this.#roundTrip.timeout - this.#deps.now();
    if (left > 0) {
      flight.cancel = this.#deps.after(left, () => this.#watch(flight));
      return;
    }
    if (this.#awaited === flight) this.#roundTrip.wasLate();
    this.#failed(flight, new Error('No answer in time'));
  }

  #answered(flight: Flight, answer: LocationAnswer): void {
    const place = this.#flights.indexOf(flight);
    if (place === -1) return;
    const now = this.#deps.now();
    this.#roundTrip.took(now - flight.sentAt);
    this.#failures = 0;
    this.#flights.splice(place, 1);
    // Earlier reports: their answers would be older than this one.
    this.#giveUp(this.#flights.slice(0, place));
    this.#become('active');
    // If a later report is in flight, its answer sets when the next is due.
    if (!this.#awaited || this.#awaited === flight) {
      this.#awaited = null;
      this.#sendAfter(flight, answer.next_update_seconds);
    }
    this.#deps.answered(answer);
  }

  /** Handles a report that was rejected, lost or late; a late answer may still arrive. */
  #failed(flight: Flight, error: unknown): void {
    if (this.#awaited !== flight) return;
    this.#awaited = null;
    const retrySeconds = this.#nextRetrySeconds();
    this.#become('offline');
    const retryAfter = this.#deps.failed(error);
    const elapsed = (this.#deps.now() - flight.sentAt) / 1000;
    const asked = retryAfter === null ? null : Math.min(retryAfter, RETRY_MAX_SECONDS) + elapsed;
    this.#sendAfter(flight, asked ?? retrySeconds);
  }

  /** @param seconds counted from when the report was sent, so that a slow answer doesn't lengthen the interval */
  #sendAfter(flight: Flight, seconds: number): void {
    if (this.#state === 'stopped') return;
    const due = Math.max(flight.sentAt + seconds * 1000, this.#deps.now() + SHORTEST_PAUSE_MS);
    this.#due = Math.min(this.#due, due);
    this.#wake();
  }

  /** Counts a failure and returns the seconds until the next attempt. */
  #nextRetrySeconds(): number {
    this.#failures += 1;
    return RETRIES[Math.min(this.#failures, RETRIES.length) - 1] ?? 10;
  }

  #giveUp(flights: readonly Flight[]): void {
    this.#flights = this.#flights.filter((flight) => !flights.includes(flight));
    for (const { control } of flights) control.abort();
  }
}
