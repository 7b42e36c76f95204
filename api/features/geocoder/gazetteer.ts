import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { searchWords } from '#shared/normalization/search-text.ts';
import { METERS_PER_MILE, metersBetween, type Place } from '#shared/place.ts';
import type { FoundAddress } from './geocoder.ts';

/**
 * Created by scripts/build/create-gazetteer.ts from GeoNames: US towns from 1,000 people, others from 10,000. Sorted by key; the
 * key is left out where it is the name in lower case.
 */
const FILE = join(import.meta.dirname, 'gazetteer.tsv.gz');

/** Beyond, towns are sorted by population. */
const NEAR_METERS = 100 * METERS_PER_MILE;

/** A town that is farther away doesn't say where a point is. */
const TOWN_MAX_METERS = 60 * METERS_PER_MILE;

export const GAZETTEER_ATTRIBUTION = { text: 'GeoNames', url: 'https://www.geonames.org' };

interface Town extends FoundAddress {
  /** Its normalized name. */
  key: string;
  /** Normalized words of its region and country, with their codes. */
  qualifiers: string[];
  population: number;
}

export interface Gazetteer {
  /**
   * Finds towns whose name is, or begins with, the text; words after the name narrow it down: “Springfield, IL”.
   * @param near the towns around it come before larger ones; null for none
   * @returns exact names first
   */
  search(query: string, limit: number, near: Place | null): FoundAddress[];
  /** Returns the town that is nearest to a point, with the distance in meters; null if there is none within `TOWN_MAX_METERS`. */
  nearest(point: Place): (FoundAddress & { meters: number }) | null;
}

const countryNames = new Intl.DisplayNames('en', { type: 'region' });
/** How people call these countries, besides their names. */
const MORE_NAMES: Record<string, string> = { US: 'usa america', GB: 'uk britain' };

/** Returns the words of a text; “St. John’s” has two, as people type it. */
export const normalizedWords = (text: string): string[] => searchWords(text.replace(/['’.]/g, ''));

/** The region of a town, which many share: how it is shown, and its words. */
function regionOf(region: string, code: string, country: string) {
  const countryName = countryNames.of(country) ?? country;
  return {
    detail: [region, countryName].filter(Boolean).join(', '),
    qualifiers: normalizedWords(
      [region, code, country, countryName, MORE_NAMES[country]].join(' '),
    ),
  };
}

function* townsIn(text: string): Generator<Town> {
  const regions = new Map<string, ReturnType<typeof regionOf>>();
  for (const line of text.split('\n')) {
    const [key = '', name = '', region = '', code = '', country, latitude, longitude, population] =
      line.split('\t');
    if (!country) continue;
    const known = regions.get(`${country} ${region}`) ?? regionOf(region, code, country);
    regions.set(`${country} ${region}`, known);
    yield {
      key: key || name.toLowerCase(),
      name,
      ...known,
      latitude: Number(latitude),
      longitude: Number(longitude),
      population: Number(population),
    };
  }
}

/** Returns the index of the first town whose key isn’t before `key`. */
function firstAt(towns: readonly Town[], key: string): number {
  let [low, high] = [0, towns.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((towns[middle]?.key ?? '') < key) low = middle + 1;
    else high = middle;
  }
  return low;
}

async function load(): Promise<Gazetteer> {
  const text = String(await promisify(gunzip)(await readFile(FILE)));
  const towns = [...townsIn(text)];

  /** Towns named `name`, or beginning with it if nothing narrows them down. */
  function named(name: string, qualifiers: readonly string[]): Town[] {
    const found: Town[] = [];
    for (let at = firstAt(towns, name); at < towns.length; at += 1) {
      const town = towns[at];
      if (!town?.key.startsWith(name)) break;
      const isNarrowed = qualifiers.length > 0;
      if (isNarrowed && town.key !== name && town.key !== `${name} city`) continue;
      if (qualifiers.every((word) => town.qualifiers.some((other) => other.startsWith(word))))
        found.push(town);
    }
    return found;
  }

  return {
    search(query, limit, near) {
      const words = normalizedWords(query);
      const found = new Set<Town>();
      for (let length = words.length; length > 0; length -= 1)
        for (const town of named(words.slice(0, length).join(' '), words.slice(length)))
          found.add(town);
      const away = (town: Town) =>
        Math.min(near ? metersBetween(town, near) : Infinity, NEAR_METERS);
      const isExact = ({ key }: Town) => words.join(' ') === key;
      return [...found]
        .toSorted(
          (a, b) =>
            Number(isExact(b)) - Number(isExact(a)) ||
            away(a) - away(b) ||
            b.population - a.population,
        )
        .slice(0, limit)
        .map(({ name, detail, latitude, longitude }) => ({ name, detail, latitude, longitude }));
    },
    nearest(point) {
      let best: { town: Town; meters: number } | null = null;
      for (const town of towns) {
        // A degree of latitude is 69 miles everywhere.
        if (Math.abs(town.latitude - point.latitude) > 1) continue;
        const meters = metersBetween(town, point);
        if (meters <= (best?.meters ?? TOWN_MAX_METERS)) best = { town, meters };
      }
      if (!best) return null;
      const { name, detail, latitude, longitude } = best.town;
      return { name, detail, latitude, longitude, meters: best.meters };
    },
  };
}

let loading: Promise<Gazetteer> | null = null;

/** Returns the list of towns, which is loaded at its first use and then stays in memory (about 25 MB). */
export function gazetteer(): Promise<Gazetteer> {
  loading ??= load().catch((error: unknown) => {
    loading = null;
    throw error;
  });
  return loading;
}

/** Names the nearest town of each point, such as 'Eugene, Oregon, United States'; null far from any. */
export async function namesOfTowns(points: readonly Place[]): Promise<(string | null)[]> {
  if (points.length === 0) return [];
  const towns = await gazetteer();
  return points.map((point) => {
    const town = towns.nearest(point);
    return town && `${town.name}, ${town.detail}`;
  });
}
