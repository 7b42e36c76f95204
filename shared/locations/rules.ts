import { searchWords } from '../normalization/search-text.ts';
import { metersBetween, type Place } from '../place.ts';

export const LOCATION_NAME_MAX = 100;
export const LOCATION_DESCRIPTION_MAX = 500;
export const LOCATION_ADDRESS_MAX = 200;
export const TIP_TITLE_MAX = 100;
export const TIP_CONTENT_MAX = 1000;
export const VISIT_NOTES_MAX = 500;
export const REPORT_DESCRIPTION_MAX = 500;
/** In miles. The page offers whole miles from 1. */
export const SEARCH_RADIUS = { min: 0.1, shortest: 1, max: 100, usual: 10 };
/** The number of tips in a search result, which are shown at first. */
export const TIPS_SHOWN = 5;
/** The radii that an empty search suggests, in miles. */
export const WIDER_RADII = [1, 2, 5, 10, 25, 50, 100] as const;
export const LOCATIONS_LIMIT = { usual: 20, max: 50 };
/** The maximum number of photos of a place that are shown, and that one person may add. */
export const PHOTOS_SHOWN = 20;
export const PHOTOS_EACH_MAX = 5;
/** The maximum number of tips of a place, most helpful first. */
export const TIPS_MAX = 100;

/** How far from the point of a place a visit may be: a large park has one point. */
export const VISIT_METERS = 1_000;

/** Places nearer to each other than this may be the same one. */
export const SAME_PLACE_METERS = 500;

/** Common words that don't distinguish places. */
const COMMON = new Set(
  'the a of at and dog dogs park parks trail trails beach forest woods lake area walk walking path field'.split(
    ' ',
  ),
);

/** Returns the distinctive words of a name: without common ones, unless it has no others. */
function distinctiveWords(name: string): string[] {
  const words = searchWords(name);
  const distinctive = words.filter((word) => !COMMON.has(word));
  return distinctive.length > 0 ? distinctive : words;
}

const pairsOf = (text: string): string[] =>
  Array.from({ length: Math.max(0, text.length - 1) }, (_, at) => text.slice(at, at + 2));

/** Returns the similarity of two texts by their pairs of letters, from 0 to 1. */
function likeness(a: string, b: string): number {
  if (a === b) return 1;
  const left = pairsOf(a);
  const right = pairsOf(b);
  const total = left.length + right.length;
  let shared = 0;
  for (const pair of left) {
    const at = right.indexOf(pair);
    if (at < 0) continue;
    shared += 1;
    right.splice(at, 1);
  }
  return total === 0 ? 0 : (2 * shared) / total;
}

const ALIKE = 0.7;

/**
 * Whether two names may mean the same place: they have the same words, one contains the other's, or they differ in a
 * few letters.
 */
export function isSimilarName(one: string, other: string): boolean {
  const [a, b] = [distinctiveWords(one), distinctiveWords(other)];
  if (a.length === 0 || b.length === 0) return false;
  const [fewer, more] = a.length <= b.length ? [a, b] : [b, a];
  if (fewer.every((word) => more.includes(word))) return true;
  return likeness(a.join(''), b.join('')) >= ALIKE;
}

/** Whether two places may be the same: they are near and have similar names. */
export const isSimilarPlace = (
  one: Place & { name: string },
  other: Place & { name: string },
): boolean => metersBetween(one, other) <= SAME_PLACE_METERS && isSimilarName(one.name, other.name);

/** A visit on the same day of the world's clock is the same visit. */
export const visitDay = (at: Date): string => at.toISOString().slice(0, 10);

/** Begins the ids of imported places, such as `osm-n123`. */
export const IMPORTED_ID = 'osm-';
export const isImportedPlace = (id: string): boolean => id.startsWith(IMPORTED_ID);
