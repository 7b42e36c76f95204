import type { Db, Filter } from 'mongodb';
import type { z } from 'zod';
import type { Decision, evidencePerson } from '#shared/moderation/admin-contract.ts';
import type {
  appealStatus,
  Guideline,
  MessageReport,
  ReportStatus,
  ReportSubject,
  UserWarning,
} from '#shared/moderation/contract.ts';
import type { Indexes } from '../../platform/database.ts';
import type { Posting } from '../../platform/mail-queue/messages.ts';
import type { MessageCopy } from '../chat/collections.ts';

type Times<T, Names extends keyof T> = Omit<T, Names | 'id'> & {
  [Name in Names]: null extends T[Name] ? Date | null : Date;
} & { _id: string };

/**
 * `message_reports`. Its id is derived from reporter and subject, so that each person reports something once.
 */
export interface ReportRow
  extends
    Omit<Times<MessageReport, 'created_at' | 'resolved_at'>, 'message_id'>,
    Pick<Posting, 'post'> {
  subject_type: ReportSubject;
  message_id: string | null;
  /** The id of the reported picture, friend request or planned walk; empty for a person. */
  subject_id?: string;
  /**
   * For accounts that the servers flagged, until a moderator decides: a hash of account and reason. Unique.
   */
  open_flag?: string;
  /** The last times the servers flagged it, oldest first. */
  flags?: { at: Date; details: string }[];
  admin_notes: string | null;
  updated_at: Date;
  version: number;
  /**
   * The last decision; null before the first. `is_carried_out`: whether its consequences are applied.
   */
  decision: (Decision & { status: ReportStatus; admin_user_id: string; at: Date }) | null;
  is_carried_out: boolean;
  lease?: Lease;
  /** Until when the decision may be undone. Removed when it takes effect. */
  held_until?: Date;
  /** What an undo restores; as long as `held_until`. */
  before_decision?: Pick<
    ReportRow,
    'status' | 'admin_notes' | 'resolved_at' | 'decision' | 'open_flag'
  >;
}

/** Whose a report or an appeal is for now (decision 256). */
export interface Lease {
  admin_user_id: string;
  until: Date;
}

/** `report_evidence`: a copy of what was reported, for moderators only. Its id is the report’s. */
export interface EvidenceRow {
  _id: string;
  messages: MessageCopy[];
  copied_at: Date;
  /** For reports of anything but a message. */
  person?: z.infer<typeof evidencePerson>;
  image_key?: string;
  /** If the reported picture is a photo of a place. `picture`: the key of its copy. */
  place_photo?: { image_key: string; picture: string | null };
  friend_request?: { id: string; message: string | null; created_at: Date };
  planned_walk?: { id: string; starts_at: Date; place_name: string; note: string };
  /** Keys of the copied pictures and recordings. */
  pictures?: string[];
  /**
   * The message was removed before it was reported. The text is from the reporter’s device; its hash proves it.
   */
  is_from_reporter?: true;
}

interface AppealEntry {
  text: string;
  created_at: Date;
  status: z.infer<typeof appealStatus>;
  answer: string | null;
  answered_at: Date | null;
}

interface NoticeRecord {
  authority: string;
  /** The authority's file number, if it gave one. */
  reference: string | null;
  /** The day on which it was sent, such as 2026-11-25. */
  sent_on: string;
  admin_user_id: string;
  recorded_at: Date;
}

/** `user_warnings`: one sanction per row. */
export interface WarningRow
  extends Posting, Pick<UserWarning, 'warning_type' | 'reason' | 'severity' | 'issued_by_admin'> {
  user_id: string;
  /** Null: carried over from a deleted account. */
  admin_user_id: string | null;
  /** In a notice: the moderator who removed or hid what it is about. */
  decided_by?: string;
  report_id: string | null;
  /** About an anonymous hazard: moderators don’t learn whose it is. */
  is_anonymous?: true;
  law_enforcement_notice: boolean;
  /** No one has recorded the law enforcement notice yet. */
  is_notice_due?: true;
  /** The law enforcement notice, as the admin who sent it recorded it. */
  notice?: NoticeRecord;
  created_at: Date;
  expires_at: Date | null;
  acknowledged_at: Date | null;
  lifted_at: Date | null;
  appeal: AppealEntry | null;
  /** Who answers its appeal now. */
  lease?: Lease;
  version: number;
  /** When it must be applied or ends; null when there is nothing to do. */
  due_at: Date | null;
}

/** `guidelines`. */
export interface GuidelineRow extends Omit<Guideline, 'id'> {
  _id: string;
  created_at: Date;
  updated_at: Date;
  version: number;
}

/** `bans`: identities that may not use a new account until a time, as hashes. */
export interface BanRow {
  _id: string;
  /** Null: never. */
  until: Date | null;
  reason: string;
}

/** Matches terminations that a law enforcement notice must follow; the filter of a partial index. */
export const NOTICE_WAITING = { is_notice_due: true as const };

export const messageReports = (db: Db) => db.collection<ReportRow>('message_reports');
export const reportEvidence = (db: Db) => db.collection<EvidenceRow>('report_evidence');
export const userWarnings = (db: Db) => db.collection<WarningRow>('user_warnings');
export const guidelines = (db: Db) => db.collection<GuidelineRow>('guidelines');
export const bans = (db: Db) => db.collection<BanRow>('bans');

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
    { key: { status: 1, report_type: 1, created_at: 1, _id: 1 } },
    { key: { 'post.at': 1 }, sparse: true },
    { key: { is_carried_out: 1 }, partialFilterExpression: { is_carried_out: false } },
    { key: { resolved_at: 1 } },
  ],
  report_evidence: [
    { key: { 'messages.sender_user_id': 1 } },
    { key: { 'messages.receiver_user_id': 1 } },
    { key: { copied_at: 1 } },
    { key: { pictures: 1 } },
  ],
  user_warnings: [
    { key: { user_id: 1, created_at: -1, _id: -1 } },
    { key: { created_at: -1, _id: -1 } },
    { key: { 'appeal.status': 1, created_at: -1, _id: -1 } },
    {
      key: { 'appeal.created_at': 1 },
      partialFilterExpression: { 'appeal.status': 'pending' },
    },
    {
      name: 'notice-due',
      key: { created_at: -1, _id: -1 },
      partialFilterExpression: NOTICE_WAITING,
    },
    { key: { due_at: 1 }, partialFilterExpression: { due_at: { $type: 'date' } } },
    { key: { 'post.at': 1 }, sparse: true },
    { key: { expires_at: 1 } },
  ],
  bans: [{ key: { until: 1 } }],
};

/** Matches sanctions of a person that moderators may know to be theirs. */
export const NAMED: Filter<WarningRow> = { is_anonymous: { $exists: false } };

/** Returns the moderator whose decision a sanction or a notice is; null for the rules. */
export const deciderOf = ({
  decided_by,
  admin_user_id,
}: Pick<WarningRow, 'decided_by' | 'admin_user_id'>): string | null => decided_by ?? admin_user_id;
