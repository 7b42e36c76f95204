const MOST = 99;

const capped = (count: number) => (count > MOST ? `${MOST}+` : String(count));
const counted = (count: number, what: string) =>
  count > 0 ? [`${capped(count)} ${what}${count === 1 ? '' : 's'}`] : [];

/** How much waits for the owner there; nothing when nothing does. */
export function WaitingBadge({
  unread = 0,
  requests = 0,
  className = '',
}: {
  /** Messages to be read. */
  unread?: number;
  /** Friend requests to be answered. */
  requests?: number;
  className?: string;
}) {
  const sum = unread + requests;
  if (sum === 0) return null;
  return (
    <span
      className={`inline-flex h-6 min-w-6 items-center justify-center rounded-full bg-accent px-1.5 text-sm font-bold text-on-accent tabular-nums ${className}`}
    >
      <span aria-hidden>{capped(sum)}</span>
      <span className="sr-only">
        {[...counted(unread, 'unread message'), ...counted(requests, 'friend request')].join(', ')}
      </span>
    </span>
  );
}
