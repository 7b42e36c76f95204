import type { Collection, Db, IndexDescription } from 'mongodb';
import type {
  BanRow,
  EvidenceRow,
  GuidelineRow,
  LogRow,
  ReportRow,
  RuleRow,
  SealRow,
  SeedRow,
  WarningRow,
} from './rows.ts';

export interface ModerationCollections {
  messageReports: Collection<ReportRow>;
  reportEvidence: Collection<EvidenceRow>;
  messageSeals: Collection<SealRow>;
  moderationRules: Collection<RuleRow>;
  moderationLog: Collection<LogRow>;
  userWarnings: Collection<WarningRow>;
  guidelines: Collection<GuidelineRow>;
  bans: Collection<BanRow>;
  seeds: Collection<SeedRow>;
}

/** What moderation keeps, and for how long, is told in decision 131. */
export const moderationCollections = (db: Db): ModerationCollections => ({
  messageReports: db.collection('message_reports'),
  reportEvidence: db.collection('report_evidence'),
  messageSeals: db.collection('message_seals'),
  moderationRules: db.collection('moderation_rules'),
  moderationLog: db.collection('moderation_log'),
  userWarnings: db.collection('user_warnings'),
  guidelines: db.collection('guidelines'),
  bans: db.collection('bans'),
  seeds: db.collection('seeds'),
});

export const moderationIndexes: Record<string, IndexDescription[]> = {
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
  message_seals: [{ key: { expires_at: 1 } }],
  bans: [{ key: { until: 1 } }],
};
