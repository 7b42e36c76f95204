import { useNow } from '../../platform/use-now.ts';
import { WaitingBadge } from '../friends/waiting-badge.tsx';
import { usePlannedWalks } from './use-planned-walks.ts';

/** How many invitations to walks the owner hasn't answered; nothing at zero. */
export default function UnansweredBadge() {
  const { walks } = usePlannedWalks();
  const now = useNow();
  const count = walks.filter(
    ({ is_own, is_canceled, own_answer, starts_at }) =>
      !is_own && !is_canceled && own_answer === null && Date.parse(starts_at) > now,
  ).length;
  return <WaitingBadge invitations={count} />;
}
