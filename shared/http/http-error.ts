import type { z } from 'zod';
import { fieldsOf, NOT_YET, type Failure } from '../endpoint.ts';
import { databaseTrouble } from '../server/database-errors.ts';

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
  /** Overrides the default code of the status. */
  code?: string;
  fields?: Record<string, string>;
  headers?: Record<string, string>;
  cause?: unknown;
}

/** An error response. Its message and fields are visible to users. */
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

/** The error of an invalid request: the first message, and one per field. */
export function invalidInput(error: z.ZodError): HttpError {
  return new HttpError(400, error.issues[0]?.message ?? 'Invalid input', {
    fields: fieldsOf(error),
  });
}

/** The sync server or the database does not answer. */
export const unavailable = (part: string, cause?: unknown): HttpError =>
  new HttpError(503, `The service isn’t available right now (${part}). Try again.`, {
    headers: { 'retry-after': '2' },
    cause,
  });

/** One document cannot be read or changed now; others can. */
export class DocumentAway extends HttpError {
  constructor(cause: unknown) {
    const { status, message, headers } = unavailable('sync-server');
    super(status, message, { code: NOT_YET, headers, cause });
  }
}

/**
 * Converts every exception into an HttpError; internal details stay in its `cause`.
 * @param failure the message for unexpected errors
 */
export function refusalOf(thrown: unknown, failure = 'Something went wrong'): HttpError {
  if (thrown instanceof HttpError) return thrown;
  if (databaseTrouble(thrown)) return unavailable('mongodb', thrown);
  return new HttpError(500, failure, { cause: thrown });
}

/** Returns the response body of an error. @param more fields of the call's failures */
export function failureOf(refusal: HttpError, more: object = {}): Failure {
  const { message, code, fields } = refusal;
  return { ...more, error: message, code, ...(fields && { fields }) };
}
