import { z } from 'zod';
import { endpoint } from '../endpoint.ts';
import { idParams } from '../form-fields.ts';
import { paged, paging, search } from './paging.ts';
import { SAVED_NAME_MAX, SAVED_TEXT_MAX } from './rules.ts';

export const adminCheck = endpoint('GET', '/admin/check', {
  access: 'signed-in',
  answer: z.object({ isAdmin: z.boolean(), email: z.string() }),
  failure: 'Failed to check admin access',
});

/** The changed fields; null before a creation and after a deletion. */
const values = z.record(z.string(), z.json()).nullable();

/** An admin action, logged right before it is carried out. */
export const auditEntry = z.object({
  id: z.string(),
  at: z.iso.datetime(),
  admin_user_id: z.string(),
  /** Null when the account was deleted. */
  admin_email: z.string().nullable(),
  /** Such as `access-code.update`. */
  act: z.string(),
  subject_kind: z.string(),
  subject_id: z.string(),
  /** What people call the subject; null if it has no name or was deleted. */
  subject_name: z.string().nullable().default(null),
  before: values,
  after: values,
  /** Names of the people whose ids are among the values, by id. */
  value_names: z.record(z.string(), z.string()).default({}),
  reason: z.string().nullable(),
  /** The id of an earlier entry whose action failed. */
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

/** Lists admin actions, newest first. Entries are never changed or deleted. */
export const auditLog = endpoint('GET', '/admin/audit-log', {
  access: 'admin',
  query: z.object({
    ...paging,
    ...auditFilters,
    /** A subject's whole id, or a person's name or email address. */
    search,
    sort: z.enum(['newest', 'oldest']).default('newest'),
  }),
  answer: z.object({
    entries: z.array(auditEntry),
    /** All current admins, for the filter. */
    admins: z.array(z.object({ id: z.string(), email: z.string() })),
    /** All kinds of subjects, for the filter. */
    kinds: z.array(z.string()),
    ...paged,
  }),
  failure: 'Failed to fetch the audit log',
});

/** What admins save by name: a view of a list for themselves; texts to begin a decision or an answer with for everybody. */
export const savedKind = z.enum(['view', 'reason', 'answer']);
export type SavedKind = z.infer<typeof savedKind>;

const saved = z.object({
  id: z.string(),
  name: z.string().trim().min(1, 'Required').max(SAVED_NAME_MAX),
  /** The part of the address after `?`, or the text. */
  text: z.string().trim().min(1, 'Required').max(SAVED_TEXT_MAX),
});
export type Saved = z.infer<typeof saved>;

/** By name. */
export const listSaved = endpoint('GET', '/admin/saved', {
  access: 'admin',
  query: z.object({ kind: savedKind }),
  answer: z.object({ saved: z.array(saved) }),
  failure: 'Failed to load what you saved',
});

/** Saves under a name, instead of what has it; 409 beyond `SAVED_MAX`. */
export const save = endpoint('PUT', '/admin/saved', {
  access: 'admin',
  body: saved.omit({ id: true }).extend({ kind: savedKind }),
  answer: z.object({ saved }),
  failure: 'Failed to save',
});

export const deleteSaved = endpoint('DELETE', '/admin/saved/:id', {
  access: 'admin',
  params: idParams,
  failure: 'Failed to delete',
});
