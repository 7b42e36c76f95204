import type { z } from 'zod';
import { fieldsOf } from '#shared/endpoint.ts';

/** An error response of the internal API. */
export class HttpError extends Error {
  readonly status: number;
  readonly code: string;
  readonly fields: Record<string, string> | undefined;

  constructor(status: number, code: string, message: string, fields?: Record<string, string>) {
    super(message);
    this.status = status;
    this.code = code;
    this.fields = fields;
  }
}

/** Returns an error that names the invalid fields. */
export function invalidInput(error: z.ZodError): HttpError {
  const message = error.issues[0]?.message ?? 'Invalid input';
  return new HttpError(400, 'invalid_input', message, fieldsOf(error));
}

export const notFound = () => new HttpError(404, 'not_found', 'Document not found');
