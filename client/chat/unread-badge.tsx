const MOST = 99;

/** How many messages are unread; nothing when none are. */
export function UnreadBadge({ count, className = '' }: { count: number; className?: string }) {
  if (count === 0) return null;
  return (
    <span
      className={`inline-flex h-6 min-w-6 items-center justify-center rounded-full bg-accent px-1.5 text-sm font-bold text-on-accent tabular-nums ${className}`}
    >
      {count > MOST ? `${MOST}+` : count}
      <span className="sr-only"> unread {count === 1 ? 'message' : 'messages'}</span>
    </span>
  );
}
