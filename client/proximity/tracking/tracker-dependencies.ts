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
 * `waiting`: no fix yet. `active`: the last report was answered. `no-fix`: the last fix is too old to send.
 * `offline`: the last report failed. `quiet`: in a quiet place, where nothing is reported. `stopped`: not tracking.
 */
export type TrackerState = 'stopped' | 'waiting' | 'active' | 'no-fix' | 'offline' | 'quiet';

/** What the tracker depends on; tests and the bench simulate it. */
export interface TrackerDependencies {
  /** Milliseconds. */
  now(): number;
  /** Runs a callback once; returns how to cancel it. */
  after(milliseconds: number, run: () => void): () => void;
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
