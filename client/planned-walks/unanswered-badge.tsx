import { useNow } from '../use-now.ts';
import { usePlannedWalks } from './use-planned-walks.ts';

/** How many invitations to walks the owner hasn't answered; nothing at zero. */
export default function UnansweredBadge() {
  const { walks } = usePlannedWalks();
  const now = useNow();
  const count = walks.filter(
    ({ is_own, is_canceled, own_answer, starts_at }) =>
      !is_own && !is_canceled && own_answer === null && Date.parse(starts_at) > now,
  ).length;
  if (count === 0) return null;
  return (
    <span className="inline-flex h-6 min-w-6 items-center justify-center rounded-full bg-accent px-1.5 text-sm font-bold text-on-accent tabular-nums">
      <span aria-hidden>{count}</span>
      <span className="sr-only">
        {count === 1 ? '1 new invitation' : `${count} new invitations`}
      </span>
    </span>
  );
}
