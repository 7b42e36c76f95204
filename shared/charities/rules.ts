import { wholeDollars } from '../money.ts';

/** What was given, in dollars without cents: '$1,250+ raised'. */
export const raisedWords = (cents: number): string => `${wholeDollars(cents)}+ raised`;

/** The line above the list: 'Showing 1 verified charity'. @param isCapped whether there are more than counted */
export const countWords = (count: number, isCapped = false): string =>
  `Showing ${count.toLocaleString('en-US')}${isCapped ? '+' : ''} verified ${count === 1 ? 'charity' : 'charities'}`;

/** The date with which a day of UTC begins: one record of going to give a person, charity and day. */
export const dayOf = (at: Date): string => at.toISOString().slice(0, 10);
