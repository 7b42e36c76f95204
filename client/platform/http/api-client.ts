import type { z } from 'zod';
import type { Endpoint, Failure } from '#shared/endpoint.ts';
import { retryAfterMs } from '#shared/retry-after.ts';
import { traceparent } from '#shared/trace-context.ts';
import { ShownError } from './shown-error.ts';

interface CallErrorDetails {
  fields?: Record<string, string>;
  /** Seconds to wait before another attempt; null when the server does not say. */
  retryAfter?: number | null;
  /** The call's own failure text; equals `message` if the server gave no reason. */
  failure?: string;
}

/** A rejection by the API, or no answer (`status` 0). `message` can be shown to people. */
export class CallError extends ShownError {
  readonly status: number;
  readonly code: string;
  readonly fields: Record<string, string>;
  readonly retryAfter: number | null;
  readonly failure: string;

  constructor(
    message: string,
    status: number,
    code: string,
    { fields = {}, retryAfter = null, failure = message }: CallErrorDetails = {},
  ) {
    super(message);
    this.name = 'CallError';
    this.status = status;
    this.code = code;
    this.fields = fields;
    this.retryAfter = retryAfter;
    this.failure = failure;
  }
}

/** The code of an answer that has none, such as a proxy's page. */
const NO_CODE = 'failed';

/** Whether our server said so, rather than a proxy before it. */
export const isFromServer = ({ code }: CallError): boolean => code !== NO_CODE;

/** Whether the requested object doesn't exist or isn't the caller's. */
export const isNotFound = (error: unknown): error is CallError =>
  error instanceof CallError && error.status === 404 && isFromServer(error);

type Field<Name extends string, S extends z.ZodType> =
  undefined extends z.input<S>
    ? { [N in Name]?: z.input<S> }
    : Record<never, never> extends z.input<S>
      ? { [N in Name]?: z.input<S> }
      : { [N in Name]: z.input<S> };

export type Input<P extends z.ZodType, Q extends z.ZodType, B extends z.ZodType> = Field<
  'params',
  P
> &
  Field<'query', Q> &
  Field<'body', B> & {
    /** Null sends the body as a form without a file. */
    file?: Blob | null;
    signal?: AbortSignal;
    idempotencyKey?: string;
    headers?: Record<string, string>;
    /** Replaces the endpoint's failure text. */
    failure?: string;
    /** Continues if the page is closed. */
    keepalive?: boolean;
  };

export interface CallSettings {
  /** Origin of /api, without a trailing slash. */
  origin?: string;
  fetch?: typeof fetch;
  headers?: Record<string, string>;
  /** Answers to reads that a start has asked for; a write makes them outdated. */
  early?: { take(path: string): Promise<unknown> | undefined; drop(): void };
  /** Called with every answer of our server, also a rejection. */
  onAnswered?: () => void;
  /** Called if there was none. */
  onUnanswered?: () => void;
  /** Called with every rejection, before the caller gets it. */
  onRefused?: (refusal: CallError) => void;
  /** Called if an answer doesn't match this version of the app, so there must be a newer one. */
  onUnexpected?: (endpoint: Endpoint) => void;
}

/** Returns the path of a call, with escaped parameters. */
export function pathOf(
  endpoint: Pick<Endpoint, 'path'>,
  params: Record<string, unknown> = {},
  query: Record<string, string | number | boolean | undefined> = {},
): string {
  const path = endpoint.path.replace(/:(\w+)/g, (_, name: string) =>
    encodeURIComponent(String(params[name])),
  );
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query))
    if (value !== undefined) search.set(name, String(value));
  return `/api${path}${search.size > 0 ? `?${search}` : ''}`;
}

/**
 * Creates the function that calls the API.
 * @throws CallError with the server's message, else with the `failure` of the input or the endpoint; its code is `unreadable` if
 * the answer to a read doesn't match this version of the app and nothing in it is valid
 */
export function caller(settings: CallSettings = {}) {
  return async function call<
    P extends z.ZodType,
    Q extends z.ZodType,
    B extends z.ZodType,
    A extends z.ZodType,
  >(
    endpoint: Endpoint<P, Q, B, A>,
    ...[input]: Record<never, never> extends Input<P, Q, B>
      ? [input?: Input<P, Q, B>]
      : [input: Input<P, Q, B>]
  ): Promise<z.output<A>> {
    const {
      params,
      query,
      body,
      file,
      signal,
      idempotencyKey,
      headers: more,
      keepalive,
      failure: message = endpoint.failure,
    } = (input ?? {}) as {
      params?: Record<string, unknown>;
      query?: Record<string, string | number | boolean | undefined>;
      body?: unknown;
      file?: Blob | null;
      signal?: AbortSignal;
      idempotencyKey?: string;
      headers?: Record<string, string>;
      failure?: string;
      keepalive?: boolean;
    };
    const headers: Record<string, string> = {
      accept: 'application/json',
      traceparent: traceparent(),
      ...settings.headers,
      ...more,
    };
    if (idempotencyKey) headers['idempotency-key'] = idempotencyKey;
    let payload: BodyInit | undefined;
    if (endpoint.upload && file !== undefined) {
      const form = new FormData();
      for (const [name, value] of Object.entries(body ?? {}))
        if (value !== undefined && value !== null) form.set(name, String(value));
      if (file) form.set(endpoint.upload.field, file);
      payload = form;
    } else if (body !== undefined) {
      headers['content-type'] = 'application/json';
      payload = JSON.stringify(body);
    }
    const path = pathOf(endpoint, params, query);
    if (endpoint.method === 'GET') {
      const early = settings.early?.take(path);
      const expected = early && endpoint.answer.safeParse(await early);
      if (expected?.success) {
        settings.onAnswered?.();
        return expected.data;
      }
    } else settings.early?.drop();
    const send = settings.fetch ?? fetch;
    let response: Response;
    try {
      response = await send(`${settings.origin ?? ''}${path}`, {
        method: endpoint.method,
        headers,
        body: payload,
        signal,
        keepalive,
        credentials: 'same-origin',
      });
    } catch (cause) {
      if (signal?.aborted && !isTimeout(signal)) throw cause;
      settings.onUnanswered?.();
      if (signal?.aborted) throw cause;
      throw new CallError(message, 0, 'offline');
    }
    const answer: unknown = await response.json().catch(() => null);
    if (typeof answer === 'object' && answer !== null) settings.onAnswered?.();
    if (!response.ok) {
      if (response.status === 401) settings.early?.drop();
      const failure = answer as Partial<Failure> | null;
      const refusal = new CallError(
        // The endpoint's failure text is no more specific than the call's own.
        failure?.error && failure.error !== endpoint.failure ? failure.error : message,
        response.status,
        failure?.code ?? NO_CODE,
        {
          fields: failure?.fields,
          retryAfter: secondsToWait(response.headers),
          failure: message,
        },
      );
      settings.onRefused?.(refusal);
      throw refusal;
    }
    // Not from the API: a proxy's page says nothing about the result.
    if (typeof answer !== 'object' || answer === null)
      throw new CallError(message, response.status, NO_CODE);
    const expected = endpoint.answer.safeParse(answer);
    if (expected.success) return expected.data;
    const read = await readLeniently(endpoint.answer, answer);
    settings.onUnexpected?.(endpoint);
    const where = read ? read.leftOut.join(', ') : 'all';
    console.warn(
      `Unreadable fields in the response to ${endpoint.method} ${endpoint.path}: ${where}`,
    );
    if (read) return read.answer;
    // The write succeeded, even if its answer is unreadable.
    if (endpoint.method !== 'GET') return answer as z.output<A>;
    throw new CallError(`${message}. ${OUTDATED}`, response.status, 'unreadable', {
      failure: message,
    });
  };
}

/** Loads the lenient parser on demand; null if it can't be loaded or nothing is readable. */
async function readLeniently<A extends z.ZodType>(schema: A, answer: unknown) {
  try {
    const { readAnswer } = await import('./read-answer.ts');
    return readAnswer(schema, answer);
  } catch (error) {
    console.error('Failed to load the lenient response parser', error);
    return null;
  }
}

const OUTDATED = 'Reload the app to get its latest version.';

const isTimeout = ({ reason }: AbortSignal): boolean =>
  reason instanceof DOMException && reason.name === 'TimeoutError';

function secondsToWait(headers: Headers): number | null {
  const wait = retryAfterMs(headers);
  return wait === null ? null : Math.ceil(wait / 1000);
}
