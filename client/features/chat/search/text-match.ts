import { searchText } from '#shared/normalization/search-text.ts';
import type { MessageText } from '../types.ts';

/** Normalizes a query for comparison. */
export const normalizeQuery = (words: string): string => searchText(words.trim());

/** Returns whether a message contains the words. @param words normalized, not empty */
export const containsQuery =
  (words: string) =>
  (message: MessageText): boolean =>
    comparedText(message).includes(words);

/** Each key that is pressed searches the open segments again. */
const compared = new WeakMap<MessageText, string>();

function comparedText(message: MessageText): string {
  const known = compared.get(message);
  if (known !== undefined) return known;
  const text = searchText(message.text);
  compared.set(message, text);
  return text;
}

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
