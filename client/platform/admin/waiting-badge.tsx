import { numberWords } from './format.ts';

/** How much waits, after the name of where it does; nothing if nothing waits. */
export function WaitingBadge({
  count,
}: {
  count: { count: number; isCapped: boolean } | undefined;
}) {
  if (!count || count.count === 0) return null;
  const words = `${numberWords(count.count)}${count.isCapped ? '+' : ''}`;
  return (
    <span className="inline-flex min-w-6 justify-center rounded-full bg-accent px-1.5 text-sm text-on-accent tabular-nums">
      {words}
      <span className="sr-only"> waiting</span>
    </span>
  );
}
