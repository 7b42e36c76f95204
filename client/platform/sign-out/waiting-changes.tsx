import { UNSENT_DAYS, waitingForSignIn, type UnsentCount } from '../session/unsent-summary.ts';
import { waitingWords } from '../sync/state/sync-status-text.ts';

/** Such as '3 changes are waiting to be sent'. @param verbs for one, and for several */
export function waitingSentence(
  { changes, ...others }: UnsentCount,
  [one, several]: [string, string] = ['is', 'are'],
): string {
  const text = waitingWords({ unconfirmed: changes }, others);
  const total = changes + others.pictures + others.sounds + others.actions;
  return `${text} ${total === 1 ? one : several} waiting to be sent`;
}

/** Whether there are any unsent items. */
export const hasAny = (count: UnsentCount): boolean =>
  Object.values(count).some((each) => each > 0);

/** Shown on the sign-in screen: unsent changes on this device and how long they're kept, without naming the user. */
export default function WaitingChanges() {
  const count = waitingForSignIn();
  if (!count || !hasAny(count)) return null;
  return (
    <p role="status" className="rounded-control bg-sunken p-4 text-center">
      <strong>{waitingSentence(count)}.</strong> Sign in again within {UNSENT_DAYS} days to send
      what’s on this device.
    </p>
  );
}
