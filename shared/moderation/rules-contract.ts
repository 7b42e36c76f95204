import { z } from 'zod';
import { paged, paging, search, version } from '../admin/paging.ts';
import { endpoint } from '../endpoint.ts';
import { idParams } from '../form-fields.ts';
import { person } from './admin-contract.ts';
import { contentType } from './content.ts';
import {
  guideline,
  guidelineCategory,
  moderationSeverity,
  ruleType,
  warningType,
} from './contract.ts';
import { PATTERN_MAX, readTextPattern, readWordPattern } from './patterns.ts';

export const RULE_NAME_MAX = 100;

const required = (max: number) => z.string().trim().min(1, 'Required').max(max);

export const ruleAction = z.enum(['flag', 'block', 'auto_delete', 'require_review']);
export type RuleAction = z.infer<typeof ruleAction>;

export const moderationRule = z.object({
  id: z.string(),
  rule_type: ruleType,
  rule_name: z.string(),
  rule_pattern: z.string(),
  severity: moderationSeverity,
  action: ruleAction,
  is_active: z.boolean(),
  updated_at: z.iso.datetime(),
  version,
});
export type ModerationRule = z.infer<typeof moderationRule>;

const WRONG_PATTERN =
  'Use words with * for any letters and ? for one, with at least two letters next to each other';
const pattern = {
  rule_type: ruleType,
  rule_pattern: z.string().trim().min(1, 'Required').max(PATTERN_MAX),
};
const fits = (rule: { rule_type: z.output<typeof ruleType>; rule_pattern: string }) =>
  (rule.rule_type === 'text' ? readTextPattern : readWordPattern)(rule.rule_pattern) !== null;
const wrongPattern = { path: ['rule_pattern'], error: WRONG_PATTERN };

const ruleFields = {
  ...pattern,
  rule_name: required(RULE_NAME_MAX),
  severity: moderationSeverity,
  action: ruleAction,
  is_active: z.boolean().default(true),
};

export const listRules = endpoint('GET', '/admin/moderation-rules', {
  access: 'admin',
  answer: z.object({ rules: z.array(moderationRule) }),
  failure: 'Failed to fetch moderation rules',
});

export const createRule = endpoint('POST', '/admin/moderation-rules', {
  access: 'admin',
  body: z.object(ruleFields).refine(fits, wrongPattern),
  answer: z.object({ rule: moderationRule }),
  failure: 'Failed to create moderation rule',
});

/** Replaces a rule; `conflict` when another admin changed it in the meantime. */
export const updateRule = endpoint('PUT', '/admin/moderation-rules/:id', {
  access: 'admin',
  params: idParams,
  body: z.object({ ...ruleFields, is_active: z.boolean(), version }).refine(fits, wrongPattern),
  answer: z.object({ rule: moderationRule }),
  failure: 'Failed to update moderation rule',
});

export const deleteRule = endpoint('DELETE', '/admin/moderation-rules/:id', {
  access: 'admin',
  params: idParams,
  query: z.object({ version: z.coerce.number().int().min(0) }),
  failure: 'Failed to delete moderation rule',
});

/** Tries a rule on the newest messages. */
export const tryRule = endpoint('POST', '/admin/moderation-rules/trial', {
  access: 'admin',
  body: z.object(pattern).refine(fits, wrongPattern),
  answer: z.object({
    checked: z.number().int(),
    found: z.number().int(),
    /** Whether older messages were left out to save time. */
    is_partial: z.boolean(),
    samples: z.array(z.object({ message_text: z.string(), created_at: z.iso.datetime() })),
  }),
  failure: 'Failed to try the rule',
});

export const actionTaken = z.enum(['flagged', 'blocked', 'hidden', 'deleted', 'warning_sent']);

export const logEntry = z.object({
  id: z.string(),
  message_id: z.string().nullable(),
  /** Null for messages. */
  content_type: contentType.nullable(),
  content_id: z.string().nullable(),
  /** Its id is empty for a visitor. */
  user: person,
  /** `rule`: a rule found it; `report`: a moderator decided. */
  moderation_type: z.enum(['rule', 'report', 'admin']),
  flagged_content: z.string().nullable(),
  /** The rule's name, as it was. */
  rule_triggered: z.string().nullable(),
  severity: moderationSeverity.nullable(),
  action_taken: actionTaken,
  /** The sanction of `warning_sent`, and its reason; null for a notice without one. */
  warning_type: warningType.nullable().default(null),
  reason: z.string().nullable().default(null),
  admin_user_id: z.string().nullable(),
  created_at: z.iso.datetime(),
  /** `pending`: a moderator has to decide. A critical message is hidden until then. */
  review: z.enum(['pending', 'released', 'removed']).nullable(),
});
export type LogEntry = z.infer<typeof logEntry>;

export const listLog = endpoint('GET', '/admin/moderation-log', {
  access: 'admin',
  query: z.object({
    /** A person's name, email address or id. */
    search,
    action_taken: actionTaken.optional(),
    review: z.enum(['pending', 'released', 'removed']).optional(),
    user_id: z.string().max(64).optional(),
    ...paging,
    sort: z.enum(['newest', 'oldest']).default('newest'),
  }),
  answer: z.object({
    entries: z.array(logEntry),
    ...paged,
    pending_reviews: z.number().int(),
  }),
  failure: 'Failed to fetch moderation log',
});

/** The decision about a message that is held for review. */
const review = z.enum(['released', 'removed']);
export type Review = z.infer<typeof review>;

/** Decides about it. */
export const reviewMessage = endpoint('POST', '/admin/moderation-log/:id/review', {
  access: 'admin',
  params: idParams,
  body: z.object({ decision: review }),
  answer: z.object({ entry: logEntry }),
  failure: 'Failed to review message',
});

const adminGuideline = guideline.extend({ updated_at: z.iso.datetime(), version });
export type AdminGuideline = z.infer<typeof adminGuideline>;

/** Maximum lengths of a guideline's texts; for `examples`, the maximum length and number. */
export const GUIDELINE_MAX = {
  title: 100,
  description: 1_000,
  example: 200,
  examples: 10,
  consequences: 500,
} as const;

const guidelineFields = {
  guideline_category: guidelineCategory,
  title: required(GUIDELINE_MAX.title),
  description: required(GUIDELINE_MAX.description),
  examples: z.array(required(GUIDELINE_MAX.example)).max(GUIDELINE_MAX.examples),
  consequences: required(GUIDELINE_MAX.consequences),
  is_active: z.boolean(),
};

export const listAllGuidelines = endpoint('GET', '/admin/guidelines', {
  access: 'admin',
  answer: z.object({ guidelines: z.array(adminGuideline) }),
  failure: 'Failed to fetch guidelines',
});

export const createGuideline = endpoint('POST', '/admin/guidelines', {
  access: 'admin',
  body: z.object(guidelineFields),
  answer: z.object({ guideline: adminGuideline }),
  failure: 'Failed to create guideline',
});

export const updateGuideline = endpoint('PUT', '/admin/guidelines/:id', {
  access: 'admin',
  params: idParams,
  body: z.object({ ...guidelineFields, version }),
  answer: z.object({ guideline: adminGuideline }),
  failure: 'Failed to update guideline',
});
