import { z } from 'zod';
import { asSeen, bulkItems, bulkOutcome, paged, paging, search, version } from '../admin/paging.ts';
import { tableExport } from '../admin/table-export.ts';
import { endpoint, HEAVY_READ } from '../endpoint.ts';
import { idParams } from '../form-fields.ts';
import { charity, charityFields, listCharities as listForMembers } from './contract.ts';
import { RAISED_MAX_CENTS, REJECTION_MAX } from './rules.ts';

/** A charity as admins see it. */
export const adminCharity = charity.extend({
  /** Null once the account with that address is deleted. */
  contact_name: z.string().nullable(),
  contact_email: z.string().nullable(),
  source: z.enum(['application', 'suggestion']),
  /** Why it was rejected; null if it wasn't. */
  rejection: z.object({ reason: z.string(), at: z.iso.datetime() }).nullable(),
  version,
});
export type AdminCharity = z.infer<typeof adminCharity>;

const wanted = {
  search,
  /** `pending`: neither verified nor rejected. */
  verification: z.enum(['verified', 'pending', 'rejected']).optional(),
  activity: z.enum(['active', 'inactive']).optional(),
  source: z.enum(['application', 'suggestion']).optional(),
  sort: z.enum(['newest', 'oldest', 'name', 'donations']).default('newest'),
};

export const listAllCharities = endpoint('GET', '/admin/charities', {
  access: 'admin',
  query: z.object({ ...paging, ...wanted }),
  answer: z.object({ charities: z.array(adminCharity), ...paged }),
  failure: listForMembers.failure,
});

/** The list as CSV. */
export const exportCharities = tableExport(
  '/admin/charities/export',
  wanted,
  listForMembers.failure,
);

export const getCharity = endpoint('GET', '/admin/charities/:id', {
  access: 'admin',
  params: idParams,
  answer: z.object({ charity: adminCharity }),
  failure: listForMembers.failure,
});

export const charityStats = z.object({
  total_charities: z.number().int(),
  verified_charities: z.number().int(),
  total_donated_cents: z.number().int(),
  donations_last_24h: z.number().int(),
});

export const charityAnalytics = endpoint('GET', '/admin/charity-analytics', {
  limit: HEAVY_READ,
  access: 'admin',
  answer: z.object({ stats: charityStats }),
  failure: listForMembers.failure,
});

export const updateCharity = endpoint('PUT', '/admin/charities/:id', {
  access: 'admin',
  params: idParams,
  body: z.object({
    is_verified: z.boolean().optional(),
    is_active: z.boolean().optional(),
    /** What the charity says it received; donations are made on its own page. */
    total_donated_cents: z.number().int().min(0).max(RAISED_MAX_CENTS).optional(),
    version: version.optional(),
  }),
  answer: z.object({ charity: adminCharity }),
  failure: 'Failed to update charity status',
});

/** What an admin may correct: the texts that are shown, and the contact. Fields left out stay. */
export const charityTexts = charityFields.partial();

/** Corrects a charity's texts. The values of the contact are not recorded in the audit log. */
export const editCharity = endpoint('PUT', '/admin/charities/:id/texts', {
  access: 'admin',
  params: idParams,
  body: charityTexts.extend({ version: version.optional() }),
  answer: z.object({ charity: adminCharity }),
  failure: 'Failed to save the charity',
});

/** Rejects a charity that waits for verification: it isn’t shown, and an applicant reads why. */
export const rejectCharity = endpoint('POST', '/admin/charities/:id/reject', {
  access: 'admin',
  params: idParams,
  body: z.object({
    reason: z.string().trim().min(1, 'Required').max(REJECTION_MAX),
    version: version.optional(),
  }),
  answer: z.object({ charity: adminCharity }),
  failure: 'Failed to reject the charity',
});

/** The error of an update of `is_verified`. */
export const VERIFICATION_FAILURE = 'Failed to update charity verification';

export const deleteCharity = endpoint('DELETE', '/admin/charities/:id', {
  access: 'admin',
  params: idParams,
  query: asSeen,
  failure: 'Failed to delete charity',
});

export const changeCharities = endpoint('POST', '/admin/charities/bulk', {
  access: 'admin',
  requiresRecentSignIn: true,
  body: z.object({
    action: z.enum(['verify', 'activate', 'deactivate', 'delete']),
    items: bulkItems,
  }),
  answer: bulkOutcome,
  failure: 'Failed to update charity status',
});
