const MOST = 99;

const capped = (count: number) => (count > MOST ? `${MOST}+` : String(count));
const counted = (count: number, what: string) =>
  count > 0 ? [`${capped(count)} ${what}${count === 1 ? '' : 's'}`] : [];

/** Counts of unread items. */
interface Waiting {
  /** Unread messages. */
  unread?: number;
  /** Unanswered friend requests. */
  requests?: number;
  /** Unanswered invitations to walks. */
  invitations?: number;
}

/** Returns the text of a badge and its accessible name; null if there is nothing. */
function waitingWords({
  unread = 0,
  requests = 0,
  invitations = 0,
}: Waiting): [string, string] | null {
  const sum = unread + requests + invitations;
  if (sum === 0) return null;
  return [
    capped(sum),
    [
      ...counted(unread, 'unread message'),
      ...counted(requests, 'friend request'),
      ...counted(invitations, 'new invitation'),
    ].join(', '),
  ];
}

/** A badge with the number of unread items; hidden at zero. */
export function WaitingBadge({ className = '', ...waiting }: Waiting & { className?: string }) {
  const words = waitingWords(waiting);
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
