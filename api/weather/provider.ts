import type { Place } from '#shared/place.ts';
import type { Weather } from '#shared/weather/contract.ts';

/** What a provider measures, in the units and the words of a reading. */
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
   * The weather at a place now.
   * @throws ProviderFailure whatever goes wrong
   */
  read(place: Place, signal: AbortSignal): Promise<Conditions>;
}

/** A provider refused, was late, or answered nonsense. */
export class ProviderFailure extends Error {
  /** Its HTTP status; null where there was no answer, or one that cannot be read. */
  readonly status: number | null;
  /** For so long it wants to be left alone; null where it did not say. */
  readonly retryAfterSeconds: number | null;

  constructor(
    message: string,
    detail: { status?: number; retryAfterSeconds?: number | null; cause?: unknown } = {},
  ) {
    super(message, { cause: detail.cause });
    this.name = 'ProviderFailure';
    this.status = detail.status ?? null;
    this.retryAfterSeconds = detail.retryAfterSeconds ?? null;
  }
}

/** To a tenth of a degree. */
export const celsiusOf = (fahrenheit: number): number =>
  Math.round(((fahrenheit - 32) * 50) / 9) / 10;
