import { waitingWords, type Waiting } from './badge-text.ts';

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
      data-unread={unread}
      data-requests={requests}
      className={`inline-flex h-6 min-w-6 items-center justify-center rounded-full bg-accent px-1.5 text-sm font-bold text-on-accent tabular-nums ${className}`}
    >
      <span aria-hidden>{words?.[0]}</span>
      <span className="sr-only">{words?.[1]}</span>
    </span>
  );
}
