import type { LocationAnswer, PositionReport } from '#shared/proximity/contract.ts';

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
