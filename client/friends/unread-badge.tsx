const MOST = 99;

const capped = (count: number) => (count > MOST ? `${MOST}+` : String(count));
const counted = (count: number, what: string) =>
  count > 0 ? [`${capped(count)} ${what}${count === 1 ? '' : 's'}`] : [];

/** How much waits for the owner. */
interface Waiting {
  /** Messages to be read. */
  unread?: number;
  /** Friend requests to be answered. */
  requests?: number;
}

/** How much that is, as a badge shows it and as it is read out; null when nothing waits. */
function waitingWords({ unread = 0, requests = 0 }: Waiting): [string, string] | null {
  const sum = unread + requests;
  if (sum === 0) return null;
  return [
    capped(sum),
    [...counted(unread, 'unread message'), ...counted(requests, 'friend request')].join(', '),
  ];
}

/** How much waits for the owner there; hidden when nothing does. */
export function WaitingBadge({
  unread,
  requests,
  className = '',
}: Waiting & { className?: string }) {
  const words = waitingWords({ unread, requests });
  return (
    <span
      hidden={!words}
      className={`inline-flex h-6 min-w-6 items-center justify-center rounded-full bg-accent px-1.5 text-sm font-bold text-on-accent tabular-nums ${className}`}
    >
      <span aria-hidden>{words?.[0]}</span>
      <span className="sr-only">{words?.[1]}</span>
    </span>
  );
}
