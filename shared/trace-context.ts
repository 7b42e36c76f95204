import { newId } from './ids.ts';

/** W3C Trace Context: one id for all that a call causes, from the device to the database. It says nothing about a person. */
const TRACEPARENT = /^00-(?!0{32})([\da-f]{32})-(?!0{16})[\da-f]{16}-[\da-f]{2}$/;

/** Returns the `traceparent` header of a new call, or of a step of one with this trace id. */
export function traceparent(traceId = newId().replaceAll('-', '')): string {
  return `00-${traceId}-${newId().replaceAll('-', '').slice(16)}-01`;
}

/** Returns the trace id in a `traceparent` header; null if it isn't valid. */
export const traceIdOf = (header: string | string[] | undefined): string | null =>
  TRACEPARENT.exec(String(header ?? ''))?.[1] ?? null;
