import { caller, type CallError } from './api-client.ts';

const listeners = new Set<(refusal: CallError) => void>();

/**
 * Hears of every refusal by the api, whoever called: how the session and the gate notice that they are over.
 * @returns how to stop listening
 */
export function onRefusal(listener: (refusal: CallError) => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Tells the listeners of a refusal that came otherwise than by `call`, such as instead of a file. */
export function reportRefusal(refusal: CallError): void {
  for (const listener of listeners) listener(refusal);
}

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
