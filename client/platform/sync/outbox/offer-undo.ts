import { toast } from 'sonner';
import { UNDO_MS } from './outbox.ts';

/** A toast goes before the call that it can take back. */
const SHOWN_MS = UNDO_MS - 1_000;

/**
 * Says what was done, and offers to undo it for a few seconds, also while the offer is pointed at or has the focus: the call doesn’t wait
 * longer. A page that is put away sends it.
 * @param undo returns whether that was in time
 */
export function offerUndo(done: string, undo: () => Promise<boolean>): void {
  const act = async () => {
    if (!(await undo())) toast.error('It’s too late to undo this.');
  };
  const shown = toast(done, {
    duration: Infinity,
    action: { label: 'Undo', onClick: () => void act() },
    onDismiss: () => end(),
  });
  const end = () => {
    clearTimeout(timer);
    document.removeEventListener('visibilitychange', end);
    toast.dismiss(shown);
  };
  const timer = setTimeout(end, SHOWN_MS);
  document.addEventListener('visibilitychange', end);
}
