import type { LocationAnswer, PositionReport } from '#shared/proximity/contract.ts';
import { FIX_MAX_AGE_SECONDS, POLL_SECONDS } from '#shared/proximity/rules.ts';

/** A position as the device's geolocation gave it. */
export interface Fix {
  latitude: number;
  longitude: number;
  /** Metres. */
  accuracy: number | null;
  /** Metres per second; degrees from north. */
  speed: number | null;
  heading: number | null;
  /** When it was taken, in milliseconds of the tracker's clock. */
  at: number;
}

/**
 * `waiting`: no fix yet. `active`: the server has heard of us. `no-fix`: the last fix is too old to send.
 * `offline`: the last report failed. `quiet`: in a quiet place, of which nothing is reported. `stopped`: not tracking.
 */
export type TrackerState = 'stopped' | 'waiting' | 'active' | 'no-fix' | 'offline' | 'quiet';

/** What the tracker needs of the world; the bench gives it a simulated one. */
export interface TrackerWorld {
  /** Milliseconds. */
  now(): number;
  /** Runs something once; the answer cancels it. */
  after(milliseconds: number, run: () => void): () => void;
  /** POST /api/location. Rejects when it failed or when the signal aborts it. */
  post(report: PositionReport, signal: AbortSignal): Promise<LocationAnswer>;
  /** Whether this fix is none of anybody's business. */
  isQuiet(fix: Fix): boolean;
  /** DELETE /api/location: the server is to forget where we were last. */
  drop(): Promise<unknown>;
  /** Asks the device for a fresh fix, which comes through `fix()`: a phone at rest may give none by itself. */
  requestFix(): void;
  answered(answer: LocationAnswer): void;
  /**
   * A report failed. The answer is how many seconds to wait at least (a Retry-After), or null to retry
   * soon. May call `stop()` where a retry makes no sense.
   */
  failed(error: unknown): number | null;
  changed(state: TrackerState): void;
}

/** From a report that failed to the next attempt, in seconds; the last one repeats. */
const RETRIES = [1, 2, 5, 10];
/** How long an answer may take: at least so long, longer on a slow line, doubled when it was too short. */
const PATIENCE_MS = 2_500;
const PATIENCE_MAX_MS = 10_000;
/** A fix older than this when a report is due makes us ask for a fresh one. */
const FRESH_MS = 2_000;
const SHORTEST_PAUSE_MS = 250;
/** Clocks that run apart by less are taken for one. */
const AHEAD_MS = 1_000;

/**
 * When to report where we are: the first fix at once, then as the server's `next_update_seconds` says,
 * sooner on a `cadence` event or after a failure. One report in flight, always with the latest fix.
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
  #patience = PATIENCE_MS;
  #inFlight: AbortController | null = null;
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
    this.#inFlight?.abort();
    this.#inFlight = null;
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
    if (this.#state === 'stopped' || this.#inFlight) return;
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
    if (this.state === 'stopped' || this.#inFlight) return;
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
      const soon = RETRIES[Math.min(this.#failures, RETRIES.length - 1)] ?? 10;
      this.#failures += 1;
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
    const flight = new AbortController();
    this.#inFlight = flight;
    // Until the answer says otherwise; a cadence event that overtakes the answer shortens it.
    this.#due = Infinity;
    const giveUp = this.#world.after(this.#patience, () => {
      this.#patience = Math.min(PATIENCE_MAX_MS, this.#patience * 2);
      flight.abort(new Error('No answer in time'));
    });
    let wait: number;
    let answer: LocationAnswer | null = null;
    try {
      answer = await this.#world.post(
        {
          latitude: fix.latitude,
          longitude: fix.longitude,
          speed: fix.speed,
          heading: fix.heading,
          accuracy: fix.accuracy,
          age_seconds: Math.max(0, now - fix.at) / 1000,
        },
        flight.signal,
      );
      if (this.#inFlight !== flight) return;
      this.#failures = 0;
      const took = this.#world.now() - now;
      this.#patience = Math.min(PATIENCE_MAX_MS, Math.max(PATIENCE_MS, took * 3));
      wait = answer.next_update_seconds;
      this.#become('active');
    } catch (error) {
      if (this.#inFlight !== flight) return;
      const soon = RETRIES[Math.min(this.#failures, RETRIES.length - 1)] ?? 10;
      this.#failures += 1;
      this.#become('offline');
      const told = this.#world.failed(error);
      wait = told === null ? soon : told + (this.#world.now() - now) / 1000;
    } finally {
      giveUp();
    }
    if (this.#inFlight !== flight) return;
    this.#inFlight = null;
    // Counted from when we sent: a slow answer must not stretch the rhythm.
    const due = Math.max(now + wait * 1000, this.#world.now() + SHORTEST_PAUSE_MS);
    this.#due = Math.min(this.#due, due);
    this.#wake();
    if (answer) this.#world.answered(answer);
  }
}
