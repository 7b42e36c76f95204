import type { z } from 'zod';
import type { Endpoint, Failure } from '#shared/endpoint.ts';

/** A refusal by the api, or no answer at all (`status` 0). `message` is fit for people. */
export class CallError extends Error {
  readonly status: number;
  readonly code: string;
  readonly fields: Record<string, string>;
  /** Seconds to wait before another attempt; null when the server does not say. */
  readonly retryAfter: number | null;
  /** What failed, in the words of the call; the same as `message` where the server gave no reason. */
  readonly failure: string;

  constructor(
    message: string,
    status: number,
    code: string,
    fields: Record<string, string> = {},
    retryAfter: number | null = null,
    failure = message,
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

/** Whether what was asked for is not there any more, or not the caller's. */
export const isNotFound = (error: unknown): error is CallError =>
  error instanceof CallError && error.status === 404;

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
    /** In place of the endpoint's, where it can be told better. */
    failure?: string;
    /** Goes on though the page goes away. */
    keepalive?: boolean;
  };

export interface CallSettings {
  /** Where /api is, without a slash at the end. */
  origin?: string;
  fetch?: typeof fetch;
  headers?: Record<string, string>;
  /** Hears of every refusal before the caller does. */
  onRefused?: (refusal: CallError) => void;
  /** Told of an answer that is not as this version of the app expects: there must be a newer one. */
  onUnexpected?: (endpoint: Endpoint) => void;
}

/** The address of a call, its parameters filled in and escaped. */
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
 * Makes the function that calls the api.
 * @throws CallError with the server's words, else with the `failure` of the input or of the endpoint; `unreadable` when the answer to
 * a read is not as this version of the app expects, and nothing of it can be kept
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
      failure: words = endpoint.failure,
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
    const send = settings.fetch ?? fetch;
    let response: Response;
    try {
      response = await send(`${settings.origin ?? ''}${pathOf(endpoint, params, query)}`, {
        method: endpoint.method,
        headers,
        body: payload,
        signal,
        keepalive,
        credentials: 'same-origin',
      });
    } catch (cause) {
      if (signal?.aborted) throw cause;
      throw new CallError(words, 0, 'offline');
    }
    const answer: unknown = await response.json().catch(() => null);
    if (!response.ok) {
      const failure = answer as Partial<Failure> | null;
      const refusal = new CallError(
        // The endpoint's words say no more than those of the call.
        failure?.error && failure.error !== endpoint.failure ? failure.error : words,
        response.status,
        failure?.code ?? 'failed',
        failure?.fields,
        secondsIn(response.headers.get('retry-after')),
        words,
      );
      settings.onRefused?.(refusal);
      throw refusal;
    }
    // Not from the api: a proxy's page says nothing of what was done.
    if (typeof answer !== 'object' || answer === null)
      throw new CallError(words, response.status, 'failed');
    const expected = endpoint.answer.safeParse(answer);
    if (expected.success) return expected.data;
    const read = await readLeniently(endpoint.answer, answer);
    settings.onUnexpected?.(endpoint);
    const where = read ? read.leftOut.join(', ') : 'all';
    console.warn(
      `Unreadable fields in the response to ${endpoint.method} ${endpoint.path}: ${where}`,
    );
    if (read) return read.answer;
    // It is done all the same.
    if (endpoint.method !== 'GET') return answer as z.output<A>;
    throw new CallError(`${words}. ${OUTDATED}`, response.status, 'unreadable', {}, null, words);
  };
}

/** Loads the code for an answer that does not fit only when there is one; without a network, nothing of it can be used. */
async function readLeniently<A extends z.ZodType>(schema: A, answer: unknown) {
  try {
    const { readAnswer } = await import('./lenient-response.ts');
    return readAnswer(schema, answer);
  } catch (error) {
    console.error('Failed to load the lenient response parser', error);
    return null;
  }
}

const OUTDATED = 'Reload the app to get its latest version.';

/** Our servers give seconds; a date, which a proxy may give, counts as nothing said. */
const secondsIn = (retryAfter: string | null): number | null =>
  retryAfter !== null && /^\d+$/.test(retryAfter) ? Number(retryAfter) : null;
