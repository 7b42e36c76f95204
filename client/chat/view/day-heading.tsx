import { dayName } from './format-time.ts';

/**
 * A day's name above what was written then; while one scrolls through it, at the upper edge of the list, too: right at it, or
 * the one that goes out there would show behind it.
 */
export function DayName({ at, now }: { at: string; now: number }) {
  const name = (
    <time
      dateTime={at}
      className="rounded-full border border-line bg-surface px-3 py-0.5 text-sm font-bold text-soft"
    >
      {dayName(at, now)}
    </time>
  );
  return (
    <>
      <div
        aria-hidden
        className="pointer-events-none sticky top-0 z-10 flex h-0 items-start justify-center opacity-0 transition-opacity group-data-scrolling/list:opacity-100"
      >
        {name}
      </div>
      <h2 className="flex justify-center">{name}</h2>
    </>
  );
}
