import { wholeDollars } from '../money.ts';

/** The donated amount without cents: '$1,250+ raised'. */
export const raisedWords = (cents: number): string => `${wholeDollars(cents)}+ raised`;

/** The line above the list: 'Showing 1 verified charity'. @param isCapped whether there are more than counted */
export const countWords = (count: number, isCapped = false): string =>
  `Showing ${count.toLocaleString('en-US')}${isCapped ? '+' : ''} verified ${count === 1 ? 'charity' : 'charities'}`;

/** The UTC date. Each user counts once for each charity and day. */
export const dayOf = (at: Date): string => at.toISOString().slice(0, 10);
