import { setTimeout as wait } from 'node:timers/promises';

const MAX_MS = 1_000;

/**
 * Waits for the clean-up of a request, for at most a second: where MongoDB can't be reached, the caller shouldn't wait twice.
 * @throws the error of the clean-up, if it fails within that time
 */
export async function waitBriefly(cleanUp: Promise<unknown>): Promise<void> {
  await Promise.race([cleanUp, wait(MAX_MS, undefined, { ref: false })]);
}
