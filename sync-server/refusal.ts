import type { z } from 'zod';
import { fieldsOf } from '#shared/endpoint.ts';

/** What the internal port answers when it does not do what it is asked. */
export class Refusal extends Error {
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

/** @returns a refusal that names what is wrong with which field */
export function invalid(error: z.ZodError): Refusal {
  const words = error.issues[0]?.message ?? 'Invalid input';
  return new Refusal(400, 'invalid_input', words, fieldsOf(error));
}
