import type { Db } from 'mongodb';
import type { Collection } from 'mongodb';
import type { SavedKind } from '#shared/admin/contract.ts';
import type { Indexes } from '../database.ts';

/** `audit_log`: admin actions. Append-only. */
export interface AuditRow {
  _id: string;
  at: Date;
  admin_user_id: string;
  act: string;
  subject_kind: string;
  subject_id: string;
  before: Record<string, unknown> | null;
  after: Record<string, unknown> | null;
  reason: string | null;
  /** The entry of an action that failed; null on other entries. */
  voids: string | null;
}

/** Only appending and reading. */
export type AuditLog = Pick<
  Collection<AuditRow>,
  'insertOne' | 'find' | 'distinct' | 'countDocuments' | 'estimatedDocumentCount'
>;

export const auditLog = (db: Db): AuditLog => db.collection<AuditRow>('audit_log');

/** `admin_saved`: what admins saved by name (`shared/admin/contract.ts`). */
export interface SavedRow {
  /** A hash of kind, admin and name. */
  _id: string;
  kind: SavedKind;
  /** Whose view it is; null for what all admins use. */
  admin_user_id: string | null;
  name: string;
  text: string;
  /** How often a text was edited. */
  version?: number;
}

export const savedRows = (db: Db) => db.collection<SavedRow>('admin_saved');

export const adminIndexes: Indexes = {
  admin_saved: [{ key: { kind: 1, admin_user_id: 1, name: 1 } }, { key: { admin_user_id: 1 } }],
  audit_log: [
    { key: { at: -1, _id: -1 } },
    { key: { act: 1, at: -1, _id: -1 } },
    { key: { admin_user_id: 1, at: -1, _id: -1 } },
    { key: { subject_kind: 1, at: -1, _id: -1 } },
    { key: { subject_id: 1, at: -1, _id: -1 } },
  ],
};
