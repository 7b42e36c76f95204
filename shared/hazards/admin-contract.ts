import { z } from 'zod';
import { bulkItems, bulkOutcome, paged, paging, search, version } from '../admin/paging.ts';
import { tableExport } from '../admin/table-export.ts';
import { endpoint } from '../endpoint.ts';
import { idParams } from '../form-fields.ts';
import { sanction } from '../moderation/admin-contract.ts';
import { hazardKind } from './contract.ts';

/** A hazard as admins have it: without who reported it, and with the town instead of the point. */
const adminHazard = z.object({
  id: z.string(),
  kind: hazardKind,
  description: z.string(),
  dog_name: z.string().nullable().default(null),
  /** As the author entered it for everyone nearby. */
  contact: z.string().nullable().default(null),
  /** For `getAdminPicture`. */
  image_key: z.string().nullable().default(null),
  /** The nearest town, such as 'Eugene, Oregon, United States'; null far from any. */
  near: z.string().nullable().default(null),
  /** The same for all hazards of one author, and nothing else about them. */
  author_ref: z.string(),
  reported_at: z.iso.datetime(),
  expires_at: z.iso.datetime(),
  confirmed_count: z.number().int(),
  denied_count: z.number().int(),
  /** How many members reported its text. */
  report_count: z.number().int(),
  /** Hidden by denials or reports of members. */
  is_hidden: z.boolean(),
  /** Removed by an admin. */
  is_removed: z.boolean(),
  version,
});
export type AdminHazard = z.infer<typeof adminHazard>;

const wanted = {
  search,
  status: z.enum(['shown', 'hidden', 'removed', 'expired']).optional(),
  kind: hazardKind.optional(),
  /** A hazard's id: lists all hazards of its author. */
  same_author_as: z.string().max(64).optional(),
  sort: z.enum(['newest', 'oldest']).default('newest'),
};

/** Lists all hazards that are stored, also hidden, removed and expired ones. */
export const listAdminHazards = endpoint('GET', '/admin/hazards', {
  access: 'admin',
  query: z.object({ ...paging, ...wanted }),
  answer: z.object({ hazards: z.array(adminHazard), ...paged }),
  failure: 'Failed to load hazards',
});

/** The list as a table for a spreadsheet. */
export const exportAdminHazards = tableExport(
  '/admin/hazards/export',
  wanted,
  listAdminHazards.failure,
);

/** Removes a hazard from everyone's list and map, or restores it: then members can't hide it any more. */
export const changeAdminHazard = endpoint('PUT', '/admin/hazards/:id', {
  access: 'admin',
  params: idParams,
  body: z.object({
    is_removed: z.boolean(),
    version: version.optional(),
    reason: z.string().trim().max(500).nullish(),
  }),
  answer: z.object({ hazard: adminHazard }),
  failure: 'Failed to change the hazard',
});

export const changeAdminHazards = endpoint('POST', '/admin/hazards/bulk', {
  access: 'admin',
  requiresRecentSignIn: true,
  body: z.object({ items: bulkItems, is_removed: z.boolean() }),
  answer: bulkOutcome,
  failure: 'Failed to change the hazards',
});

/** Warns or sanctions the author of a hazard, whom the moderator doesn't learn. */
export const sanctionHazardAuthor = endpoint('POST', '/admin/hazards/:id/sanction', {
  access: 'admin',
  params: idParams,
  body: sanction,
  failure: 'Failed to issue the sanction',
});
