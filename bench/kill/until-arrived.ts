import { setTimeout as wait } from 'node:timers/promises';

const LOOK_MS = 100;
/** The time in which a whole document or thread reaches a device, on a busy machine. */
const ARRIVED_MS = 30_000;

/** Waits until a check succeeds, or as long as data may take to arrive. */
export async function untilArrived(isHere: () => boolean | Promise<boolean>): Promise<void> {
  const end = Date.now() + ARRIVED_MS;
  while (!(await isHere()) && Date.now() < end) await wait(LOOK_MS);
}
