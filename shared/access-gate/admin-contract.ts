import { z } from 'zod';
import { asSeen, bulkItems, bulkOutcome, paged, paging, search, version } from '../admin/paging.ts';
import { tableExport } from '../admin/table-export.ts';
import { endpoint } from '../endpoint.ts';
import { idParams, orNone, timeOrNone } from '../form-fields.ts';
import { codeText } from './contract.ts';
import { CODE_MAX, DESCRIPTION_MAX } from './rules.ts';

// Apart from contract.ts, which the landing page loads.

export const accessCode = z.object({
  id: z.string(),
  code: z.string(),
  description: z.string().nullable(),
  max_uses: z.number().int().nullable(),
  current_uses: z.number().int(),
  is_active: z.boolean(),
  expires_at: z.iso.datetime().nullable(),
  created_at: z.iso.datetime(),
  /** Made by an admin, for a donation, or for a member's invitation. */
  source: z.enum(['admin', 'donation', 'referral']),
  version,
});
export type AccessCode = z.infer<typeof accessCode>;

export const accessCodeUse = z.object({
  id: z.string(),
  access_code_id: z.string(),
  /** Null for deleted accounts. */
  user_id: z.string().nullable(),
  user_name: z.string().nullable(),
  ip_address: z.string(),
  used_at: z.iso.datetime(),
});

const editable = {
  description: orNone(z.string().trim().max(DESCRIPTION_MAX)).optional(),
  max_uses: orNone(z.coerce.number().int().min(1)).optional(),
  expires_at: timeOrNone.optional(),
};
const wanted = {
  search,
  status: z.enum(['active', 'inactive', 'expired']).optional(),
  source: z.enum(['admin', 'donation', 'referral']).optional(),
  sort: z.enum(['newest', 'oldest', 'code', 'most_used']).default('newest'),
};

export const listCodes = endpoint('GET', '/admin/access-codes', {
  access: 'admin',
  query: z.object({ ...paging, ...wanted }),
  answer: z.object({ accessCodes: z.array(accessCode), ...paged }),
  failure: 'Failed to fetch access codes',
});

/** The list as a table for a spreadsheet. */
export const exportCodes = tableExport(
  '/admin/access-codes/export',
  wanted,
  'Failed to fetch access codes',
);

export const getCode = endpoint('GET', '/admin/access-codes/:id', {
  access: 'admin',
  params: idParams,
  answer: z.object({ accessCode }),
  failure: 'Failed to fetch access codes',
});

export const createCode = endpoint('POST', '/admin/access-codes', {
  access: 'admin',
  body: z.object({ code: codeText(CODE_MAX, 'Code is required'), ...editable }),
  answer: z.object({ accessCode }),
  failure: 'Failed to create access code',
});

export const updateCode = endpoint('PUT', '/admin/access-codes/:id', {
  access: 'admin',
  params: idParams,
  body: z.object({ ...editable, is_active: z.boolean().optional(), version: version.optional() }),
  answer: z.object({ accessCode }),
  failure: 'Failed to update access code',
});

/** Said where an update was only of `is_active`. */
export const CODE_STATUS_FAILURE = 'Failed to update access code status';

export const deleteCode = endpoint('DELETE', '/admin/access-codes/:id', {
  access: 'admin',
  params: idParams,
  query: asSeen,
  failure: 'Failed to delete access code',
});

export const changeCodes = endpoint('POST', '/admin/access-codes/bulk', {
  access: 'admin',
  requiresRecentSignIn: true,
  body: z.object({ action: z.enum(['enable', 'disable', 'delete']), items: bulkItems }),
  answer: bulkOutcome,
  failure: 'Failed to update access code',
});

export const listCodeUses = endpoint('GET', '/admin/access-codes/:id/uses', {
  access: 'admin',
  params: idParams,
  answer: z.object({ uses: z.array(accessCodeUse) }),
  failure: 'Failed to fetch access codes',
});
