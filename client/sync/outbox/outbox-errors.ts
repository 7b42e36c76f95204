import { STILL_RUNNING } from '#shared/endpoint.ts';
import type { CallError } from '../../http/api-client.ts';

/** Refusals that another moment may turn into an answer. */
const NOT_THE_LAST_WORD = new Set([401, 408, 425, 429]);

/** Whether the server will never do it, in our own words: a proxy's page is no refusal. */
export const isDefinitive = ({ status, code }: CallError): boolean =>
  status >= 400 &&
  status < 500 &&
  !NOT_THE_LAST_WORD.has(status) &&
  !['failed', 'no_access', 'suspended', STILL_RUNNING].includes(code);

/** Whether more calls were made of this kind than the server takes, as it says itself and until when. */
export const isOfOneKind = (error: CallError): error is CallError & { retryAfter: number } =>
  error.code === 'rate_limited' && error.retryAfter !== null;
