import { toast } from 'sonner';
import { UNDO_MS } from './outbox.ts';

/** A toast goes before the call that it can take back. */
const SHOWN_MS = UNDO_MS - 1_000;

/**
 * Says what was done, and offers to undo it for a few seconds.
 * @param undo returns whether that was in time
 */
export function offerUndo(done: string, undo: () => Promise<boolean>): void {
  const act = async () => {
    if (!(await undo())) toast.error('It’s too late to undo this.');
  };
  toast(done, {
    duration: SHOWN_MS,
    action: { label: 'Undo', onClick: () => void act() },
  });
}
