import type { Place } from '#shared/place.ts';
import type { Weather } from '#shared/weather/contract.ts';

/** Weather from a provider, in the units and terms of a reading. */
export type Conditions = Pick<
  Weather,
  | 'temperature_f'
  | 'feels_like_f'
  | 'weather_icon'
  | 'weather_condition'
  | 'weather_description'
  | 'humidity'
  | 'wind_speed_mph'
  | 'wind_direction'
  | 'visibility_miles'
  | 'precipitation_chance'
  | 'uv_index'
  | 'air_quality_index'
>;

export interface WeatherProvider {
  /**
   * Returns the current weather at a place.
   * @throws ProviderFailure for every failure
   */
  read(place: Place, signal: AbortSignal): Promise<Conditions>;
}

/** A provider rejected a request, timed out, or sent an invalid response. */
export class ProviderFailure extends Error {
  /** Its HTTP status; null without a readable response. */
  readonly status: number | null;
  /** The provider’s Retry-After; null if it sent none. */
  readonly retryAfterMs: number | null;

  constructor(
    message: string,
    detail: { status?: number; retryAfterMs?: number | null; cause?: unknown } = {},
  ) {
    super(message, { cause: detail.cause });
    this.name = 'ProviderFailure';
    this.status = detail.status ?? null;
    this.retryAfterMs = detail.retryAfterMs ?? null;
  }
}

/** Converts to Celsius, to a tenth of a degree. */
export const celsiusOf = (fahrenheit: number): number =>
  Math.round(((fahrenheit - 32) * 50) / 9) / 10;
