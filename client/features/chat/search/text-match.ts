import { searchText } from '#shared/normalization/search-text.ts';
import type { MessageText } from '../types.ts';

/** Normalizes a query for comparison. */
export const normalizeQuery = (words: string): string => searchText(words.trim());

/** Returns whether a message contains the words. @param words normalized, not empty */
export const containsQuery =
  (words: string) =>
  ({ text }: MessageText): boolean =>
    searchText(text).includes(words);

/** Returns where a text contains the words, marks included; null where it doesn't. @param words normalized, not empty */
export function placeOf(text: string, words: string): { start: number; end: number } | null {
  let normalized = '';
  /** For each normalized character, that of the text. */
  const places: number[] = [];
  let at = 0;
  for (const sign of text) {
    const part = searchText(sign);
    for (let i = 0; i < part.length; i++) places.push(at);
    normalized += part;
    at += sign.length;
  }
  const found = normalized.indexOf(words);
  const [start, last] = [places[found], places[found + words.length - 1]];
  if (start === undefined || last === undefined) return null;
  return { start, end: places.find((place) => place > last) ?? text.length };
}
