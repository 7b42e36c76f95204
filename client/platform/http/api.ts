import '../disable-zod-jit.ts';
import '#shared/zod-messages.ts';
import { Store } from '../store.ts';
import { caller, type CallError } from './api-client.ts';
import { dropEarly, takeEarly } from './early-answers.ts';
import { noteAnswer, probe } from './reachability.ts';

const refusals = new Store<[refusal: CallError]>();

/**
 * Subscribes to all rejections by the API; the session and the access gate use it to notice their end.
 * @returns how to unsubscribe
 */
export const onRefusal = refusals.subscribe;

/** Reports a rejection that didn't come through `call`, such as of a file download. */
export const reportRefusal = refusals.notify;

/** Makes the browser check for a newer version of the app, which the app then offers. */
async function lookForUpdate(): Promise<void> {
  try {
    const registration = await navigator.serviceWorker?.getRegistration();
    await registration?.update();
  } catch {
    // It is also checked every hour.
  }
}

/** Calls the API of this origin. */
export const call = caller({
  early: { take: takeEarly, drop: dropEarly },
  onAnswered: noteAnswer,
  onUnanswered: () => void probe(),
  onRefused: reportRefusal,
  onUnexpected: () => void lookForUpdate(),
});
