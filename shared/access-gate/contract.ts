import { z } from 'zod';
import { endpoint } from '../endpoint.ts';

export const ACCESS_DAYS = 30;
export const CODE_MAX = 50;
export const GATE_CODE_MAX = 20;
/** Carries the grant of a visitor who has not signed in yet. */
export const ACCESS_COOKIE = '__Host-access';

/** Returns the stored form of a typed code. */
export const codeText = (max: number, required: string) =>
  z
    .string({ error: required })
    .trim()
    .min(1, required)
    .max(max, 'Invalid input')
    .transform((text) => text.toUpperCase());

export const validateCode = endpoint('POST', '/access-codes/validate', {
  access: 'public',
  body: z.object({ code: codeText(CODE_MAX, 'Please enter an access code') }),
  answer: z.object({ code: z.string(), expires_at: z.iso.datetime() }),
  failure: 'Invalid access code',
});
