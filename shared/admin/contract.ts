import { z } from 'zod';
import { endpoint } from '../endpoint.ts';
import { paged, paging } from './paging.ts';

export const adminCheck = endpoint({
  method: 'GET',
  path: '/admin/check',
  access: 'signed-in',
  answer: z.object({ isAdmin: z.boolean(), email: z.string() }),
  failure: 'Failed to check admin access',
});

/** What changed, field by field; null where there was, or is, nothing. */
const values = z.record(z.string(), z.json()).nullable();

/** One act of an admin, as it was noted right before it was done. */
export const auditEntry = z.object({
  id: z.string(),
  at: z.iso.datetime(),
  admin_user_id: z.string(),
  /** Null when the account is gone. */
  admin_email: z.string().nullable(),
  /** Such as `access-code.update`. */
  act: z.string(),
  subject_kind: z.string(),
  subject_id: z.string(),
  before: values,
  after: values,
  reason: z.string().nullable(),
  /** The id of an earlier entry whose act failed, and was not done. */
  voids: z.string().nullable(),
});
export type AuditEntry = z.infer<typeof auditEntry>;

const text = z.string().trim().min(1).max(100).optional();
const auditFilters = {
  act: text,
  subject_kind: text,
  subject_id: text,
  admin_user_id: text,
};

/** Who did what, the newest first. Nothing in it is ever changed or taken away. */
export const auditLog = endpoint({
  method: 'GET',
  path: '/admin/audit-log',
  access: 'admin',
  query: z.object({
    ...paging,
    ...auditFilters,
    sort: z.enum(['newest', 'oldest']).default('newest'),
  }),
  answer: z.object({
    entries: z.array(auditEntry),
    /** Whoever is an admin now, to choose from. */
    admins: z.array(z.object({ id: z.string(), email: z.string() })),
    /** What there are acts on. */
    kinds: z.array(z.string()),
    ...paged,
  }),
  failure: 'Failed to fetch the audit log',
});
