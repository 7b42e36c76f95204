import { METERS_PER_DEGREE, type Place } from '#shared/place.ts';
import { type Random, randomFrom } from '../simulation.ts';

/** People with positions, the same in every run: who they are is their number. */
export interface Crowd {
  name: string;
  size: number;
  /** The first position. */
  place(index: number): Place;
  /** Those who report while it is measured. */
  reporters: number[];
}

/** The same number in every crowd, so that crowds differ only in their size. */
const REPORTERS = 1000;

export const idOf = (index: number): string => `walker-${index}`;
export const dogsOf = (index: number) => [
  { name: `Dog ${index}`, sound_type: 'leash_on' as const, image_key: null },
];

/** A place as MongoDB stores it. */
export const pointOf = ({ latitude, longitude }: Place) => ({
  type: 'Point' as const,
  coordinates: [longitude, latitude] as [number, number],
});

/** Spread over a country of 500 km, so few of them meet. */
export const spread = (size: number): Crowd =>
  crowd(`${size.toLocaleString('en')} positions`, size, 500_000);

/** 2,000 people in 500 m × 500 m. */
export const dense = (): Crowd => crowd('2,000 people in 500 m × 500 m', 2000, 500);

function crowd(name: string, size: number, sideMeters: number): Crowd {
  const step = Math.max(1, Math.floor(size / REPORTERS));
  return {
    name,
    size,
    place(index) {
      const random = randomFrom(index);
      return {
        latitude: 47 + (random.uniform() * sideMeters) / METERS_PER_DEGREE,
        longitude: 8 + (random.uniform() * sideMeters) / METERS_PER_DEGREE,
      };
    },
    reporters: Array.from({ length: Math.min(size, REPORTERS) }, (_, index) => index * step),
  };
}

/** Returns a position a few steps from a user's previous one. */
export function someReport(of: Crowd, random: Random): { index: number; place: Place } {
  const index = of.reporters[Math.floor(random.uniform() * of.reporters.length)] ?? 0;
  const { latitude, longitude } = of.place(index);
  return {
    index,
    place: {
      latitude: latitude + random.between(-20, 20) / METERS_PER_DEGREE,
      longitude: longitude + random.between(-20, 20) / METERS_PER_DEGREE,
    },
  };
}
