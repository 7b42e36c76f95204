import { z } from 'zod';
import { endpoint } from '../endpoint.ts';

export const ACCESS_DAYS = 30;
export const CODE_MAX = 50;
export const GATE_CODE_MAX = 20;
/** Carries the grant of a visitor who has not signed in yet. */
export const ACCESS_COOKIE = '__Host-access';

const code = (max: number, required: string) =>
  z
    .string({ error: required })
    .trim()
    .min(1, required)
    .max(max, 'Invalid input')
    .transform((text) => text.toUpperCase());

export const validateCode = endpoint({
  method: 'POST',
  path: '/access-codes/validate',
  access: 'public',
  body: z.object({ code: code(CODE_MAX, 'Please enter an access code') }),
  answer: z.object({ code: z.string(), expires_at: z.iso.datetime() }),
  failure: 'Invalid access code',
});

export const accessCode = z.object({
  id: z.string(),
  code: z.string(),
  description: z.string().nullable(),
  max_uses: z.number().int().nullable(),
  current_uses: z.number().int(),
  is_active: z.boolean(),
  expires_at: z.iso.datetime().nullable(),
  created_at: z.iso.datetime(),
});
export type AccessCode = z.infer<typeof accessCode>;

export const accessCodeUse = z.object({
  id: z.string(),
  access_code_id: z.string(),
  user_id: z.string().nullable(),
  ip_address: z.string(),
  used_at: z.iso.datetime(),
});

/** Empty form fields arrive as '' and mean 'none'. */
const emptyToNull = (value: unknown) => (value === '' ? null : value);
const editable = {
  description: z.preprocess(emptyToNull, z.string().trim().max(500).nullable()).optional(),
  max_uses: z.preprocess(emptyToNull, z.coerce.number().int().min(1).nullable()).optional(),
  expires_at: z
    .preprocess(emptyToNull, z.iso.datetime({ offset: true, local: true }).nullable())
    .optional(),
};
const id = z.object({ id: z.string().min(1).max(64) });

export const listCodes = endpoint({
  method: 'GET',
  path: '/admin/access-codes',
  access: 'admin',
  answer: z.object({ accessCodes: z.array(accessCode) }),
  failure: 'Failed to fetch access codes',
});

export const createCode = endpoint({
  method: 'POST',
  path: '/admin/access-codes',
  access: 'admin',
  body: z.object({ code: code(CODE_MAX, 'Code is required'), ...editable }),
  answer: z.object({ accessCode }),
  failure: 'Failed to create access code',
});

export const updateCode = endpoint({
  method: 'PUT',
  path: '/admin/access-codes/:id',
  access: 'admin',
  params: id,
  body: z.object({ ...editable, is_active: z.boolean().optional() }),
  answer: z.object({ accessCode }),
  failure: 'Failed to update access code',
});

export const deleteCode = endpoint({
  method: 'DELETE',
  path: '/admin/access-codes/:id',
  access: 'admin',
  params: id,
  answer: z.object({}),
  failure: 'Failed to delete access code',
});

export const listCodeUses = endpoint({
  method: 'GET',
  path: '/admin/access-codes/:id/uses',
  access: 'admin',
  params: id,
  answer: z.object({ uses: z.array(accessCodeUse) }),
  failure: 'Failed to fetch access codes',
});
