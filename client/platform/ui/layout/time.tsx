import { formatDateTime, formatDateTimeInZone } from '#shared/dates.ts';

/** The space before AM or PM, where no line breaks. */
const BEFORE_HALF = / (?=[AP]M$)/;

/** A time in the reader's zone; hovering says which zone that is. @param at ISO */
export function Time({
  at,
  format = formatDateTime,
  className,
}: {
  at: string;
  format?: (at: string) => string;
  className?: string;
}) {
  return (
    <time dateTime={at} title={formatDateTimeInZone(at)} className={className}>
      {format(at).replace(BEFORE_HALF, '\u00a0')}
    </time>
  );
}
