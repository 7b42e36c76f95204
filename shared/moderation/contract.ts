import { z } from 'zod';
import { MESSAGE_MAX } from '../chat/rules.ts';
import { endpoint } from '../endpoint.ts';
import { idParams } from '../form-fields.ts';
import {
  REPORT_DESCRIPTION_MIN,
  REPORT_DESCRIPTION_MAX,
  APPEAL_MIN,
  APPEAL_MAX,
  MODERATION_SEVERITIES,
  WARNING_TYPES,
} from './rules.ts';

/** Shown when a message is rejected, by the client or the server. */
export const BLOCKED_TEXT =
  'This message contains content that violates our community guidelines and cannot be sent.';
/** Shown with a warning about a message that may still be sent. */
export const WARNING_TEXT =
  'This message may contain inappropriate content. Please review our community guidelines.';
/** The codes of refusals because of a sanction. */
export const BLOCKED_CONTENT = 'blocked_content';
export const RESTRICTED = 'restricted';
export const SUSPENDED = 'suspended';

export const moderationSeverity = z.enum(MODERATION_SEVERITIES);

/**
 * How a rule's pattern is matched: `word` finds words, also disguised ones; `text` finds the exact characters;
 * `exception` lists allowed words.
 */
export const ruleType = z.enum(['word', 'text', 'exception']);
export type RuleType = z.infer<typeof ruleType>;

/** A word rule or an exception, as far as devices need it. */
export const filterWord = z.object({
  rule_type: z.enum(['word', 'exception']),
  /** Words with `*` and `?`. */
  rule_pattern: z.string(),
  severity: moderationSeverity,
});
export type FilterWord = z.infer<typeof filterWord>;

/** A text rule, as far as devices need it: found as it is written. */
export const filterText = filterWord.extend({ rule_type: z.literal('text') });
export type FilterText = z.infer<typeof filterText>;

/** Returns the word list for devices, which cache it and send their version. */
export const getWords = endpoint('GET', '/moderation/words', {
  access: 'member',
  query: z.object({ version: z.string().max(64).optional() }),
  answer: z.object({
    version: z.string(),
    /** Null where they are as the asker has them. */
    words: z.array(filterWord).nullable(),
    /** The text rules; null as `words`. Apart, because apps of the last release know words only. */
    texts: z.array(filterText).nullable().default(null),
  }),
  failure: 'Failed to fetch words',
});

export const guidelineCategory = z.enum([
  'respectful_communication',
  'safety_first',
  'no_illegal_content',
  'protect_minors',
  'animal_welfare',
  'no_harassment',
  'spam_prevention',
]);
export type GuidelineCategory = z.infer<typeof guidelineCategory>;

export const guideline = z.object({
  id: z.string(),
  guideline_category: guidelineCategory,
  title: z.string(),
  description: z.string(),
  examples: z.array(z.string()),
  consequences: z.string(),
  is_active: z.boolean(),
});
export type Guideline = z.infer<typeof guideline>;

/** Those that hold, in the order of their categories. */
export const listGuidelines = endpoint('GET', '/guidelines', {
  access: 'signed-in',
  answer: z.object({ guidelines: z.array(guideline) }),
  failure: 'Failed to fetch guidelines',
});

export const reportType = z.enum([
  'inappropriate_content',
  'harassment',
  'illegal_activity',
  'spam',
  'underage_content',
  'drugs',
  'violence',
  'animal_abuse',
  'other',
]);
export type ReportType = z.infer<typeof reportType>;

/** The kind of a report; of `account`, the servers flagged it by themselves. */
export const reportSubject = z.enum([
  'message',
  'person',
  'picture',
  'friend_request',
  'planned_walk',
  'account',
]);
export type ReportSubject = z.infer<typeof reportSubject>;

export const reportStatus = z.enum(['pending', 'reviewed', 'resolved', 'dismissed']);
export type ReportStatus = z.infer<typeof reportStatus>;

/** A report as its author sees it, without the moderators' notes. */
export const messageReport = z.object({
  id: z.string(),
  reporter_user_id: z.string(),
  reported_user_id: z.string(),
  message_id: z.string(),
  report_type: reportType,
  description: z.string(),
  status: reportStatus,
  resolved_at: z.iso.datetime().nullable(),
  created_at: z.iso.datetime(),
});
export type MessageReport = z.infer<typeof messageReport>;

/** Reports a message to moderators. Only its recipient may, once: a second report returns the first. */
export const reportMessage = endpoint('POST', '/message-reports', {
  access: 'member',
  body: z.object({
    reported_user_id: z.string().min(1).max(64),
    message_id: z.string().min(1).max(100),
    report_type: reportType,
    description: z.string().trim().min(REPORT_DESCRIPTION_MIN).max(REPORT_DESCRIPTION_MAX),
    /** The reporter's copy. If the message was removed in the meantime, the server can prove whether it is authentic. */
    message_text: z.string().min(1).max(MESSAGE_MAX).optional(),
  }),
  answer: z.object({ report: messageReport }),
  failure: 'Failed to submit report',
});

const reasons = {
  report_type: reportType,
  description: z.string().trim().min(REPORT_DESCRIPTION_MIN).max(REPORT_DESCRIPTION_MAX),
};
const reportedUser = z.string().min(1).max(64);

/** The report of a person, a picture, a friend request or a planned walk, as its reporter may see it. */
export const contentReport = messageReport
  .omit({ message_id: true })
  .extend({ subject_type: reportSubject });

/**
 * Reports a person whose profile the caller may see, a picture on that profile, a friend request to the caller, or a walk to
 * which its organizer invited the caller. As with messages, the server copies the evidence, and another report of the same is
 * added to one that waits.
 */
export const reportContent = endpoint('POST', '/reports', {
  access: 'member',
  body: z.discriminatedUnion('subject_type', [
    z.object({
      subject_type: z.literal('person'),
      reported_user_id: reportedUser,
      ...reasons,
    }),
    z.object({
      subject_type: z.literal('picture'),
      reported_user_id: reportedUser,
      image_key: z.string().min(1).max(100),
      ...reasons,
    }),
    z.object({
      subject_type: z.literal('friend_request'),
      reported_user_id: reportedUser,
      request_id: z.string().min(1).max(64),
      ...reasons,
    }),
    z.object({
      subject_type: z.literal('planned_walk'),
      /** Its organizer. */
      reported_user_id: reportedUser,
      planned_walk_id: z.string().min(1).max(64),
      ...reasons,
    }),
  ]),
  answer: z.object({ report: contentReport }),
  failure: 'Failed to submit report',
});

/** `message_id` is null of what isn’t a message; servers of the last release didn’t send it. */
const ownReport = contentReport.extend({ message_id: z.string().nullable().optional() });

/** Lists the caller’s own reports, newest first: at most {@link OWN_REPORTS_MAX}, each with its outcome once that took effect. */
export const listOwnReports = endpoint('GET', '/reports', {
  access: 'member',
  answer: z.object({ reports: z.array(ownReport) }),
  failure: 'Failed to load your reports',
});
export type OwnReport = z.infer<typeof ownReport>;

export const warningType = z.enum(WARNING_TYPES);

export const warningSeverity = z.enum(['minor', 'moderate', 'severe']);
export type WarningSeverity = z.infer<typeof warningSeverity>;

export const appealStatus = z.enum(['pending', 'upheld', 'lifted']);

const appeal = z.object({
  text: z.string(),
  created_at: z.iso.datetime(),
  /** `upheld`: the sanction remains. */
  status: appealStatus,
  /** The moderator's explanation. */
  answer: z.string().nullable(),
  answered_at: z.iso.datetime().nullable(),
});

/** A sanction as the affected user sees it. */
export const userWarning = z.object({
  id: z.string(),
  warning_type: warningType,
  reason: z.string(),
  /** The rule by its report type, and the person's reported message, of a decision about a report; lists only. */
  about: z.object({ report_type: reportType, message_text: z.string().nullable() }).optional(),
  severity: warningSeverity,
  issued_by_admin: z.boolean(),
  created_at: z.iso.datetime(),
  /** Until when it holds, or counts; null: for good. */
  expires_at: z.iso.datetime().nullable(),
  /** The version, which changes when it is revoked or its appeal is answered. */
  is_acknowledged: z.boolean(),
  /** A moderator took it back. */
  lifted_at: z.iso.datetime().nullable(),
  appeal: appeal.nullable(),
});
export type UserWarning = z.infer<typeof userWarning>;

/** Lists the caller's sanctions, newest first. Suspended users may call it, too. */
export const listWarnings = endpoint('GET', '/user-warnings', {
  isAtStart: true,
  access: 'signed-in',
  answer: z.object({ warnings: z.array(userWarning) }),
  failure: 'Failed to fetch warnings',
});

export const acknowledgeWarning = endpoint('POST', '/user-warnings/:id/acknowledge', {
  access: 'signed-in',
  params: idParams,
  /** The version that the user saw, because a moderator may have changed it since. Default: the current one. */
  body: z.object({ is_lifted: z.boolean(), is_answered: z.boolean() }).optional(),
  answer: z.object({ warning: userWarning }),
  failure: 'Failed to acknowledge warning',
});

/** Once for each sanction, while it holds. */
export const appealWarning = endpoint('POST', '/user-warnings/:id/appeal', {
  access: 'signed-in',
  params: idParams,
  body: z.object({ text: z.string().trim().min(APPEAL_MIN).max(APPEAL_MAX) }),
  answer: z.object({ warning: userWarning }),
  failure: 'Failed to send appeal',
});

/** An event: the sanctions of the listener changed. */
export const moderationEvent = z.object({ type: z.literal('moderation') });
