import { z } from 'zod';
import { endpoint } from '../endpoint.ts';
import { typedCode } from '../normalization/typed-code.ts';
import { providerState } from '../payments/provider-states.ts';
import { CODE_MAX } from './rules.ts';

/** Carries the grant of a visitor who has not signed in yet. */
export const ACCESS_COOKIE = 'access';

/** The schema of a typed code. */
export const codeText = (max: number, required: string) =>
  z.string({ error: required }).overwrite(typedCode).min(1, required).max(max, 'Invalid input');

/** When the caller's access ends or ended, why, and what it was given for. */
export const getAccess = endpoint('GET', '/access', {
  access: 'signed-in',
  answer: z.object({
    state: z.enum(['active', 'ended', 'never']),
    /** Null for admins, and without any access so far. */
    ends_at: z.iso.datetime().nullable(),
    /** Its time was over, the donation was refunded or returned after a dispute, or an admin withdrew the code; null unless it ended. */
    reason: z.enum(['expired', 'refunded', 'withdrawn']).nullable(),
    /** The code of the current access. */
    access_code: z.string().nullable(),
    /** The caller's donation for the latest access. */
    donation: z
      .object({
        id: z.string(),
        amount_cents: z.number().int(),
        currency: z.string(),
        payment_status: z.enum(['pending', 'completed', 'failed', 'refunded']),
        /** What happened to the money at the provider. */
        provider_state: providerState.default('clear'),
        paid_at: z.iso.datetime(),
      })
      .nullable(),
  }),
  failure: 'Failed to load your access',
});

export const validateCode = endpoint('POST', '/access-codes/validate', {
  access: 'public',
  body: z.object({ code: codeText(CODE_MAX, 'Please enter an access code') }),
  answer: z.object({ code: z.string(), expires_at: z.iso.datetime() }),
  failure: 'Invalid access code',
});
