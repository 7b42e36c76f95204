import { COUNT_MAX, type Paged } from '#shared/admin/paging.ts';
import { formatLength } from '#shared/dates.ts';
import { HOUR_MS, MINUTE_MS } from '#shared/time.ts';

/** Returns a number in the reader's format. */
export const numberWords = (value: number): string => value.toLocaleString();

/** Returns a count that the server caps at {@link COUNT_MAX} + 1: '1,000+' above the maximum. */
export const countWords = (count: number): string =>
  count > COUNT_MAX ? `${numberWords(COUNT_MAX)}+` : numberWords(count);

/** Returns '2 ads to review', or '' while the count isn't loaded. */
export const waitWords = (count: number | undefined, thing: string, action: string): string =>
  count === undefined
    ? ''
    : `${count === 0 ? 'No' : countWords(count)} ${thing}${count === 1 ? '' : 's'} to ${action}`;

/** Returns the number of rows on all pages, with '+' if the count is capped. */
export const totalWords = ({ total, total_is_capped }: Paged): string =>
  `${numberWords(total)}${total_is_capped ? '+' : ''}`;

/** How long something waits. */
export const ageWords = (ms: number): string =>
  ms < HOUR_MS ? 'less than an hour' : formatLength(ms);

/** Converts an ISO time to the value of a `datetime-local` field; '' for null. */
export function toLocalField(iso: string | null): string {
  if (iso === null) return '';
  const date = new Date(iso);
  return new Date(date.getTime() - date.getTimezoneOffset() * MINUTE_MS).toISOString().slice(0, 16);
}

/** The `max` of `datetime-local` fields. Without it, browsers accept years of six digits, which the API rejects. */
export const LOCAL_FIELD_MAX = '9999-12-31T23:59';

/** Converts the value of a `datetime-local` field to an ISO time; null for ''. Returns an invalid value unchanged, so that validation rejects it. */
export function fromLocalField(text: string): string | null {
  if (text === '') return null;
  const time = new Date(text);
  return Number.isNaN(time.getTime()) ? text : time.toISOString();
}
