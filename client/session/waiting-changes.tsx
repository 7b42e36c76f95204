import { waitingWords } from '../sync/status/sync-status-text.ts';
import { UNSENT_DAYS, waitingForSignIn, type UnsentCount } from './unsent-summary.ts';

/** Such as '3 changes are waiting to be sent'. */
export function waitingSentence({ changes, ...others }: UnsentCount): string {
  const words = waitingWords({ unconfirmed: changes }, others);
  const total = changes + others.pictures + others.sounds + others.actions;
  return `${words} ${total === 1 ? 'is' : 'are'} waiting to be sent`;
}

/** Whether there is anything to mention. */
export const hasAny = (count: UnsentCount): boolean =>
  Object.values(count).some((each) => each > 0);

/** On the sign-in screen: what this device has not sent yet, and until when it stays here. Nobody is named. */
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
