import type { Db } from 'mongodb';
import type { LogEntry, ModerationRule } from '#shared/moderation/rules-contract.ts';
import type { Indexes } from '../../platform/database.ts';

/** `moderation_rules`. */
export interface RuleRow extends Omit<ModerationRule, 'id' | 'updated_at'> {
  _id: string;
  updated_at: Date;
}

/** `moderation_log`: rule matches and actions. */
export interface LogRow extends Omit<LogEntry, 'id' | 'user' | 'created_at'> {
  _id: string;
  /** Empty for a visitor. */
  user_id: string;
  created_at: Date;
  /** Whether the review decision is applied; unset before there is one. */
  is_carried_out?: boolean;
}

/** `seeds`: defaults that were written once and are not written again. */
export interface SeedRow {
  _id: string;
  at: Date;
}

export const moderationRules = (db: Db) => db.collection<RuleRow>('moderation_rules');
export const moderationLog = (db: Db) => db.collection<LogRow>('moderation_log');
export const seeds = (db: Db) => db.collection<SeedRow>('seeds');

export const contentRulesIndexes: Indexes = {
  moderation_rules: [{ key: { rule_name: 1, rule_pattern: 1 } }],
  moderation_log: [
    { key: { created_at: -1, _id: -1 } },
    { key: { action_taken: 1, created_at: -1, _id: -1 } },
    { key: { user_id: 1, created_at: -1, _id: -1 } },
    { key: { review: 1, created_at: -1, _id: -1 } },
    { key: { message_id: 1 } },
    { key: { is_carried_out: 1 }, partialFilterExpression: { is_carried_out: false } },
  ],
};
