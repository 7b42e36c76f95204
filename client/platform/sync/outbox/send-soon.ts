import { reachability } from '../../http/reachability.ts';
import type { UserDocuments } from '../documents/user-documents.ts';
import type { CallInput, CallName } from './outbox-calls.ts';
import { outboxOf } from './outbox.ts';

/** So long a screen waits for the answer before it says that a call is queued. */
const ANSWERED_WITHIN_MS = 3_000;

/** Whether the server has done it or refused it, which is said elsewhere; or whether the call waits on this device. */
export type Answered = 'done' | 'refused' | 'waiting';

/**
 * Makes a call like `sendLater`, and waits a moment for its answer, so that screens say no more than what is so.
 * @throws after logout
 */
export async function sendSoon<N extends CallName>(
  documents: UserDocuments,
  name: N,
  input: CallInput<N>,
  label?: string,
): Promise<Answered> {
  return whenAnswered(documents, await outboxOf(documents).add(name, input, label));
}

/** Waits a moment for the answer to a call. @param key its idempotency key */
export function whenAnswered(documents: UserDocuments, key: string): Promise<Answered> {
  const outbox = outboxOf(documents);
  return new Promise((resolve) => {
    const settle = (answered: Answered) => {
      clearTimeout(timer);
      for (const stop of stops) stop();
      resolve(answered);
    };
    const stops = [
      outbox.onOutcome((outcome) => {
        if (outcome.key === key) settle(outcome.refusal ? 'refused' : 'done');
      }),
      reachability.subscribe(() => {
        if (!reachability.get()) settle('waiting');
      }),
    ];
    // It may have been answered before this, or by another tab, whose outcomes aren't heard here.
    const atLast = () => {
      if (outbox.isWaiting(key)) settle('waiting');
      else settle(outbox.isRefused(key) ? 'refused' : 'done');
    };
    const isLater = outbox.isWaiting(key) && reachability.get();
    const timer = setTimeout(atLast, isLater ? ANSWERED_WITHIN_MS : 0);
  });
}
