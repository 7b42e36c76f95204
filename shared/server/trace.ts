import { AsyncLocalStorage } from 'node:async_hooks';
import type { IncomingHttpHeaders } from 'node:http';
import { newId } from '../ids.ts';
import { traceIdOf } from '../trace-context.ts';

const traces = new AsyncLocalStorage<string>();

/** The trace id of the call that is being handled. Each log line has it: see log.ts. */
export const currentTrace = (): string | undefined => traces.getStore();

/** Handles a call under the trace id of its `traceparent` header, or a new one. */
export const withTraceOf = <Result>(headers: IncomingHttpHeaders, work: () => Result): Result =>
  traces.run(traceIdOf(headers['traceparent']) ?? newId().replaceAll('-', ''), work);
