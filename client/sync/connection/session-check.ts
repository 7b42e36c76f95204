import { listDogs } from '#shared/dogs/contract.ts';
import { call } from '../../http/api.ts';
import { CallError } from '../../http/api-client.ts';

/** A sync server that hangs up is more often restarting than refusing: the api is not asked each time. */
const EVERY_MS = 20_000;

/**
 * For when the sync server hung up: a call of the api tells why, and whoever listens to refusals acts on it.
 * @param onOver told when the session is over
 */
export function sessionCheck(onOver: () => void): () => Promise<void> {
  let checkedAt = 0;
  return async () => {
    if (Date.now() - checkedAt < EVERY_MS) return;
    checkedAt = Date.now();
    try {
      await call(listDogs);
    } catch (error) {
      if (error instanceof CallError && error.status === 401) onOver();
    }
  };
}
