import { DAY_MS } from './time.ts';

/** So long a device keeps a call that waits for the network: the server forgets idempotency keys after 30 days, and could do an older one twice. */
export const WAITED_MAX_MS = 28 * DAY_MS;

/** How long a call waited on its device, in milliseconds of that device's clock, which need not be right for it. */
export const WAITED_HEADER = 'waited-ms';
