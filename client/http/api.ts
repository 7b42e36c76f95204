import { caller, type CallError } from './api-client.ts';
import { Store } from '../store.ts';

const refusals = new Store<[refusal: CallError]>();

/**
 * Receives every refusal by the API, whoever called: the session and the access gate notice so that they are over.
 * @returns how to unsubscribe
 */
export const onRefusal = refusals.subscribe;

/** Reports a refusal that came otherwise than by `call`, such as instead of a file. */
export const reportRefusal = refusals.notify;

/** Has the browser fetch a newer version of the app, if there is one; the app offers it then. */
async function lookForUpdate(): Promise<void> {
  try {
    const registration = await navigator.serviceWorker?.getRegistration();
    await registration?.update();
  } catch {
    // Looked for every hour, too.
  }
}

/** Calls the api of this origin. */
export const call = caller({
  onRefused: reportRefusal,
  onUnexpected: () => void lookForUpdate(),
});
