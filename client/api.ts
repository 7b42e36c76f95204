import { caller, type CallError } from './call.ts';

const listeners = new Set<(refusal: CallError) => void>();

/**
 * Hears of every refusal by the api, whoever called: how the session and the gate notice that they are over.
 * @returns how to stop listening
 */
export function onRefusal(listener: (refusal: CallError) => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Calls the api of this origin. */
export const call = caller({
  onRefused: (refusal) => {
    for (const listener of listeners) listener(refusal);
  },
});
