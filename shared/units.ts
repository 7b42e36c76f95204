import { z } from 'zod';
import { feetOf, kilometersOf, metersOf } from './distance.ts';
import { METERS_PER_FOOT, METERS_PER_MILE, milesOf } from './place.ts';

/** The owner's choice of units; automatic: by the language and region of the device. */
export const unitChoice = z.enum(['automatic', 'us', 'metric']);
export type UnitChoice = z.infer<typeof unitChoice>;

/** Formats measures for people, on screens and spoken. Stored values and calls stay in feet, miles and °F. */
export interface Units {
  system: 'us' | 'metric';
  /** A distance of up to a few hundred feet. @returns '90 feet' or '27 meters' */
  near: (feet: number) => string;
  /** A short `near`. @returns '90 ft' or '27 m' */
  nearShort: (feet: number) => string;
  /** Rounds a distance in feet up to a round number of the shown unit, as an upper limit. */
  roundUp: (feet: number) => number;
  /** The size of an area, in round numbers. @returns '500 feet' or '150 meters' */
  around: (feet: number) => string;
  /** @returns '0.4 miles' or '0.6 km' */
  far: (miles: number) => string;
  /** A distance in whole units. @returns '10 miles' or '16 km' */
  farWhole: (miles: number) => string;
  /** A walked distance. @returns '1.4 miles' or '2.3 km'; less than a tenth of a mile as '320 feet' or '98 meters' */
  walked: (meters: number) => string;
  /** @returns '68°F' or '20°C' */
  temperature: (fahrenheit: number) => string;
  /** @returns '12 mph' or '19 km/h' */
  wind: (milesPerHour: number) => string;
  /** @returns '6 mi' or '10 km' */
  visibility: (miles: number) => string;
}

/** Adding 0 makes a negative zero positive. Without `toLocaleString`, which takes a phone 50 ms the first time. */
const whole = (value: number) => String(Math.round(value) + 0).replaceAll(/\B(?=(\d{3})+$)/g, ',');
const counted = (count: number, one: string, many: string) =>
  `${whole(count)} ${Math.round(count) === 1 ? one : many}`;

/** The specification's texts. */
export const US: Units = {
  system: 'us',
  near: (feet) => counted(feet, 'foot', 'feet'),
  nearShort: (feet) => `${whole(feet)} ft`,
  roundUp: (feet) => feet,
  around: (feet) => (feet === 2640 ? 'half a mile' : `${whole(feet)} feet`),
  far: (miles) => `${miles.toFixed(1)} miles`,
  farWhole: (miles) => counted(miles, 'mile', 'miles'),
  walked: (meters) =>
    meters < METERS_PER_MILE / 10 ? US.near(feetOf(meters)) : US.far(milesOf(meters)),
  temperature: (fahrenheit) => `${whole(fahrenheit)}°F`,
  wind: (milesPerHour) => `${whole(milesPerHour)} mph`,
  visibility: (miles) => `${miles} mi`,
};

export const METRIC: Units = {
  system: 'metric',
  near: (feet) => counted(metersOf(feet), 'meter', 'meters'),
  nearShort: (feet) => `${whole(metersOf(feet))} m`,
  roundUp: (feet) => (Math.ceil(metersOf(feet) / 10) * 10) / METERS_PER_FOOT,
  around: (feet) => `${whole(metersOf(feet) / 10)}0 meters`,
  far: (miles) => `${kilometersOf(miles).toFixed(1)} km`,
  farWhole: (miles) => `${whole(kilometersOf(miles))} km`,
  walked: (meters) =>
    meters < METERS_PER_MILE / 10
      ? counted(meters, 'meter', 'meters')
      : METRIC.far(meters / METERS_PER_MILE),
  temperature: (fahrenheit) => `${whole(((fahrenheit - 32) * 5) / 9)}°C`,
  wind: (milesPerHour) => `${whole(kilometersOf(milesPerHour))} km/h`,
  visibility: (miles) => `${whole(kilometersOf(miles))} km`,
};

/** The United States, and the countries that use its units. */
const US_REGIONS = new Set(['US', 'PR', 'GU', 'VI', 'AS', 'MP', 'LR', 'PW', 'FM', 'MH']);

/**
 * Returns an owner's units. Automatic: US units if the device's region uses them or is unknown, otherwise metric units.
 * @param language a BCP 47 tag such as 'de-CH', as `navigator.language`
 */
export function unitsOf(choice: UnitChoice, language: string | undefined): Units {
  if (choice !== 'automatic') return choice === 'us' ? US : METRIC;
  const region = regionOf(language);
  return region === null || US_REGIONS.has(region) ? US : METRIC;
}

/** Returns the region of a language tag; the most likely one of a language without one, such as DE of 'de'. */
function regionOf(language: string | undefined): string | null {
  if (!language) return null;
  // Most devices name their region. Loading the table of likely ones would delay a phone's start.
  const [, named] = /^[a-z]{2,3}(?:-[a-z]{4})?-([a-z]{2})(?:-|$)/i.exec(language) ?? [];
  if (named) return named.toUpperCase();
  try {
    return new Intl.Locale(language).maximize().region ?? null;
  } catch {
    return null;
  }
}
