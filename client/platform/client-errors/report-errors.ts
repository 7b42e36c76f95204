import { reportClientError } from '#shared/client-errors/contract.ts';
import { call } from '../http/api.ts';
import { describeError } from './describe-error.ts';
import { areErrorsReported } from './error-reports.ts';

/** An error that repeats with each drawing says nothing more. */
const PER_PAGE = 5;

/**
 * Reports errors that no code handled, until it is stopped. Those that happen offline are dropped: they are too small a matter to store.
 * @returns a function that stops it
 */
export function reportErrors(target: EventTarget = window): () => void {
  const reported = new Set<string>();
  const report = (thrown: unknown) => {
    // A failed call is no error of the app.
    if (!(thrown instanceof Error) || thrown.name === 'CallError' || !areErrorsReported()) return;
    const body = describeError(thrown);
    const key = JSON.stringify(body);
    // Without a place in our code, it may come from an extension of the browser.
    if (body.frames.length === 0 || reported.has(key) || reported.size >= PER_PAGE) return;
    reported.add(key);
    call(reportClientError, { body }).catch(() => {});
  };
  const stopping = new AbortController();
  const { signal } = stopping;
  target.addEventListener('error', (event) => report((event as ErrorEvent).error), { signal });
  target.addEventListener(
    'unhandledrejection',
    (event) => report((event as PromiseRejectionEvent).reason),
    { signal },
  );
  return () => stopping.abort();
}
