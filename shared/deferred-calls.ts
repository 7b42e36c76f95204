import { DAY_MS } from './time.ts';

/**
 * How long a device stores a call that waits for the network. The server forgets idempotency keys after 30 days, and
 * could run an older call twice.
 */
export const WAITED_MAX_MS = 28 * DAY_MS;

/** How long a call waited on its device, in milliseconds of the device's clock, which may be wrong. */
export const WAITED_HEADER = 'waited-ms';
