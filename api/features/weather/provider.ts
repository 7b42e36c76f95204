import type { Place } from '#shared/place.ts';
import type { Weather } from '#shared/weather/contract.ts';
import { UNKNOWN_CONDITION } from '#shared/weather/rules.ts';
import { ProviderFailure } from '../../platform/http/provider-failure.ts';

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
  | 'hours'
>;

export interface WeatherProvider {
  /**
   * Returns the current weather at a place; what the provider doesn’t know is null.
   * @throws ProviderFailure for every failure, and if it knows neither the temperature nor the condition
   */
  read(place: Place, signal: AbortSignal): Promise<Conditions>;
}

/** @throws ProviderFailure if a reading says nothing about the weather */
export function assertKnown(conditions: Conditions): Conditions {
  if (
    conditions.temperature_f === null &&
    conditions.weather_condition === UNKNOWN_CONDITION.weather_condition
  )
    throw new ProviderFailure('the provider sent no weather');
  return conditions;
}

/** Converts to Celsius, to a tenth of a degree; null stays unknown. */
export const celsiusOf = (fahrenheit: number | null): number | null =>
  fahrenheit === null ? null : Math.round(((fahrenheit - 32) * 50) / 9) / 10;
