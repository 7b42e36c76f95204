import type { Db } from 'mongodb';
import type { Indexes } from '../database.ts';
import type { EvidenceMessage } from '#shared/moderation/admin-contract.ts';
import type {
  appealStatus,
  Guideline,
  MessageReport,
  ReportStatus,
  ReportSubject,
  UserWarning,
} from '#shared/moderation/contract.ts';
import type { Decision, evidencePerson } from '#shared/moderation/admin-contract.ts';
import type { LogEntry, ModerationRule } from '#shared/moderation/rules-contract.ts';
import type { z } from 'zod';
import type { Posting } from '../outbox/messages.ts';

type Times<T, Names extends keyof T> = Omit<T, Names | 'id'> & {
  [Name in Names]: null extends T[Name] ? Date | null : Date;
} & { _id: string };

/** `message_reports`. Its id follows from who reported what, so that each reports it once. */
export interface ReportRow extends Omit<
  Times<MessageReport, 'created_at' | 'resolved_at'>,
  'message_id'
> {
  subject_type: ReportSubject;
  message_id: string | null;
  /** The reported picture's or friend request's id; empty for a person. */
  subject_id?: string;
  /** Of an account that the servers flagged, while nobody has decided: a hash of account and reason. Unique. */
  open_flag?: string;
  /** The last times at which the servers flagged it, oldest first. */
  flags?: { at: Date; details: string }[];
  admin_notes: string | null;
  updated_at: Date;
  version: number;
  /** The last decision, and whether all that follows from it is done; null before the first. */
  decision: (Decision & { status: ReportStatus; admin_user_id: string; at: Date }) | null;
  is_carried_out: boolean;
}

/** `report_evidence`: what was reported as it was then, for moderators only. Its id is the report's. */
export interface EvidenceRow {
  _id: string;
  messages: (Omit<EvidenceMessage, 'created_at'> & { created_at: Date })[];
  copied_at: Date;
  /** Of a person, a picture or a friend request. */
  person?: z.infer<typeof evidencePerson>;
  image_key?: string;
  friend_request?: { id: string; message: string | null; created_at: Date };
  /** The keys of the copies of pictures. */
  pictures?: string[];
  /** The message was removed before the report came; the reporter's device had it, and a seal proves it. */
  is_from_reporter?: true;
}

/** `removed_message_hashes`: what a removed message is known again by, for a while. Its id is the seal. */
export interface RemovedMessageHashRow {
  _id: string;
  /** Of the message. */
  created_at: Date;
  expires_at: Date;
}

/** `moderation_rules`. */
export interface RuleRow extends Omit<ModerationRule, 'id' | 'updated_at'> {
  _id: string;
  updated_at: Date;
}

/** `moderation_log`: what rules found and what was done. */
export interface LogRow extends Omit<LogEntry, 'id' | 'user' | 'created_at'> {
  _id: string;
  /** Empty for a visitor. */
  user_id: string;
  created_at: Date;
  /** Whether what was decided in its review is done; not there before. */
  is_carried_out?: boolean;
}

interface AppealEntry {
  text: string;
  created_at: Date;
  status: z.infer<typeof appealStatus>;
  answer: string | null;
  answered_at: Date | null;
}

/** `user_warnings`: what moderators did about somebody, a sanction a row. */
export interface WarningRow
  extends Posting, Pick<UserWarning, 'warning_type' | 'reason' | 'severity' | 'issued_by_admin'> {
  user_id: string;
  /** Null: it came over from an account that was deleted. */
  admin_user_id: string | null;
  report_id: string | null;
  law_enforcement_notice: boolean;
  created_at: Date;
  expires_at: Date | null;
  acknowledged_at: Date | null;
  lifted_at: Date | null;
  appeal: AppealEntry | null;
  version: number;
  /** When it is to be put into effect, or out of it; null where nothing is to be done. */
  due_at: Date | null;
}

/** `guidelines`. */
export interface GuidelineRow extends Omit<Guideline, 'id'> {
  _id: string;
  created_at: Date;
  updated_at: Date;
  version: number;
}

/** `bans`: who may not come back with a new account before a time, by a hash of whom the identity provider vouched for. */
export interface BanRow {
  _id: string;
  /** Null: never. */
  until: Date | null;
  reason: string;
}

/** `seeds`: what was once written into a new installation, and is not written again. */
export interface SeedRow {
  _id: string;
  at: Date;
}

export const messageReports = (db: Db) => db.collection<ReportRow>('message_reports');
export const reportEvidence = (db: Db) => db.collection<EvidenceRow>('report_evidence');
export const removedMessageHashes = (db: Db) =>
  db.collection<RemovedMessageHashRow>('removed_message_hashes');
export const moderationRules = (db: Db) => db.collection<RuleRow>('moderation_rules');
export const moderationLog = (db: Db) => db.collection<LogRow>('moderation_log');
export const userWarnings = (db: Db) => db.collection<WarningRow>('user_warnings');
export const guidelines = (db: Db) => db.collection<GuidelineRow>('guidelines');
export const bans = (db: Db) => db.collection<BanRow>('bans');
export const seeds = (db: Db) => db.collection<SeedRow>('seeds');

export const moderationIndexes: Indexes = {
  message_reports: [
    {
      key: { open_flag: 1 },
      unique: true,
      partialFilterExpression: { open_flag: { $exists: true } },
    },
    { key: { subject_type: 1, created_at: -1, _id: -1 } },
    { key: { reported_user_id: 1, status: 1, created_at: -1, _id: -1 } },
    { key: { reporter_user_id: 1 } },
    { key: { created_at: -1, _id: -1 } },
    { key: { status: 1, created_at: -1, _id: -1 } },
    { key: { report_type: 1, created_at: -1, _id: -1 } },
    { key: { is_carried_out: 1 }, partialFilterExpression: { is_carried_out: false } },
  ],
  report_evidence: [
    { key: { 'messages.sender_user_id': 1 } },
    { key: { 'messages.receiver_user_id': 1 } },
    { key: { copied_at: 1 } },
    { key: { pictures: 1 } },
  ],
  removed_message_hashes: [{ key: { expires_at: 1 } }],
  moderation_rules: [{ key: { rule_name: 1, rule_pattern: 1 } }],
  moderation_log: [
    { key: { created_at: -1, _id: -1 } },
    { key: { action_taken: 1, created_at: -1, _id: -1 } },
    { key: { user_id: 1, created_at: -1, _id: -1 } },
    { key: { review: 1, created_at: -1, _id: -1 } },
    { key: { message_id: 1 } },
    { key: { is_carried_out: 1 }, partialFilterExpression: { is_carried_out: false } },
  ],
  user_warnings: [
    { key: { user_id: 1, created_at: -1, _id: -1 } },
    { key: { created_at: -1, _id: -1 } },
    { key: { 'appeal.status': 1, created_at: -1, _id: -1 } },
    { key: { due_at: 1 }, partialFilterExpression: { due_at: { $type: 'date' } } },
    { key: { 'post.at': 1 }, sparse: true },
    { key: { expires_at: 1 } },
  ],
  bans: [{ key: { until: 1 } }],
};
