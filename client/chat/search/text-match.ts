import type { MessageText } from '../types.ts';

/** What was looked for, in a form that is compared. */
export const normalizeQuery = (words: string): string => words.trim().toLocaleLowerCase();

/** Whether a message has words in it. @param words `looked`, not empty */
export const containsQuery =
  (words: string) =>
  ({ text }: MessageText): boolean =>
    text.toLocaleLowerCase().includes(words);
