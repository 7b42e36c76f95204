import { numberWords } from './format.ts';

export interface WaitingCount {
  count: number;
  isCapped: boolean;
}

/** Such as '12' or '1,000+'. */
export const waitingWords = ({ count, isCapped }: WaitingCount): string =>
  `${numberWords(count)}${isCapped ? '+' : ''}`;

/** How much waits, after the name of where it does; nothing if nothing waits. @param isQuiet beside a badge of the sum */
export function WaitingBadge({
  count,
  isQuiet = false,
}: {
  count: WaitingCount | undefined;
  isQuiet?: boolean;
}) {
  if (!count || count.count === 0) return null;
  const look = isQuiet ? 'bg-sunken text-ink' : 'bg-accent text-on-accent';
  return (
    <span
      className={`ml-auto inline-flex min-w-6 justify-center rounded-full px-1.5 text-sm tabular-nums ${look}`}
    >
      {waitingWords(count)}
      <span className="sr-only"> waiting</span>
    </span>
  );
}
