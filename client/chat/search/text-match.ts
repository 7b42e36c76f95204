import type { MessageText } from '../types.ts';

/** Normalizes a query for comparison. */
export const normalizeQuery = (words: string): string => words.trim().toLocaleLowerCase();

/** Returns whether a message contains the words. @param words normalized, not empty */
export const containsQuery =
  (words: string) =>
  ({ text }: MessageText): boolean =>
    text.toLocaleLowerCase().includes(words);
