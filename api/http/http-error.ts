import { fieldsOf, type Failure } from '#shared/endpoint.ts';
import type { z } from 'zod';
import { databaseTrouble } from './database-errors.ts';

const CODES: Record<number, string> = {
  400: 'invalid_input',
  401: 'signed_out',
  403: 'no_access',
  404: 'not_found',
  405: 'method_not_allowed',
  409: 'conflict',
  413: 'too_large',
  415: 'unsupported_media',
  421: 'wrong_host',
  429: 'rate_limited',
  500: 'internal',
  501: 'method_not_allowed',
  503: 'unavailable',
};

interface RefusalDetail {
  /** Where the status alone does not say enough. */
  code?: string;
  fields?: Record<string, string>;
  headers?: Record<string, string>;
  cause?: unknown;
}

/** What a handler throws to refuse: the message and the fields are fit for strangers. */
export class HttpError extends Error {
  readonly status: number;
  readonly code: string;
  readonly fields: Record<string, string> | undefined;
  readonly headers: Record<string, string>;

  constructor(status: number, message: string, detail: RefusalDetail = {}) {
    super(message, { cause: detail.cause });
    this.name = 'HttpError';
    this.status = status;
    this.code = detail.code ?? CODES[status] ?? 'failed';
    this.fields = detail.fields;
    this.headers = detail.headers ?? {};
  }
}

/** Also for what exists but must stay unknown to the caller. @param what such as 'User' */
export const notFound = (what: string): HttpError => new HttpError(404, `${what} not found`);

/** A request that does not fit its contract: each field with what is wrong with it, the first one's words on top. */
export function invalidInput(error: z.ZodError): HttpError {
  return new HttpError(400, error.issues[0]?.message ?? 'Invalid input', {
    fields: fieldsOf(error),
  });
}

/** The sync server or the database does not answer. */
export const unavailable = (part: string, cause?: unknown): HttpError =>
  new HttpError(503, `The service isn’t available right now (${part}). Please try again.`, {
    headers: { 'retry-after': '2' },
    cause,
  });

/**
 * The one place that turns a throw into a refusal; whatever is not meant for strangers stays in its `cause`.
 * @param failure what is said where nobody expected it
 */
export function refusalOf(thrown: unknown, failure = 'Something went wrong'): HttpError {
  if (thrown instanceof HttpError) return thrown;
  if (databaseTrouble(thrown)) return unavailable('mongodb', thrown);
  return new HttpError(500, failure, { cause: thrown });
}

/** A refusal as it is sent. */
export function failureOf(refusal: HttpError): Failure {
  const { message, code, fields } = refusal;
  return fields ? { error: message, code, fields } : { error: message, code };
}
