import { COUNT_MAX, type Paged } from '#shared/admin/paging.ts';

const number = new Intl.NumberFormat();

/** A figure as whoever reads it writes figures. */
export const numberWords = (figure: number): string => number.format(figure);

/** A figure that is counted up to {@link COUNT_MAX}, and one more where there are more. */
export const countWords = (count: number): string =>
  count > COUNT_MAX ? `${numberWords(COUNT_MAX)}+` : numberWords(count);

/** How many of something wait for something, in words; none while nobody has counted. */
export function waitWords(count: number | undefined, thing: string, what: string): string {
  if (count === undefined) return '';
  if (count === 0) return `No ${thing} waits for ${what}.`;
  return `${countWords(count)} ${count === 1 ? `${thing} waits` : `${thing}s wait`} for ${what}.`;
}

/** How many rows a list has on all pages, as far as they were counted. */
export const totalWords = ({ total, total_is_capped }: Paged): string =>
  `${numberWords(total)}${total_is_capped ? '+' : ''}`;

/** A moment as a `datetime-local` field has it; '' for none. */
export function toLocalField(iso: string | null): string {
  if (iso === null) return '';
  const date = new Date(iso);
  return new Date(date.getTime() - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}

/** The latest that a `datetime-local` field takes: without, a year may have six digits, which is no moment that is sent. */
export const LOCAL_FIELD_MAX = '9999-12-31T23:59';

/** What a `datetime-local` field says, as a moment; null for none. What is no moment stays as it is, to be refused as any field. */
export function fromLocalField(text: string): string | null {
  if (text === '') return null;
  const moment = new Date(text);
  return Number.isNaN(moment.getTime()) ? text : moment.toISOString();
}
