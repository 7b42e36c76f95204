import type { AdminReport } from '#shared/moderation/admin-contract.ts';
import type { ContentType } from '#shared/moderation/content.ts';
import type {
  GuidelineCategory,
  ReportStatus,
  ReportSubject,
  ReportType,
  RuleType,
  WarningSeverity,
} from '#shared/moderation/contract.ts';
import type { LogEntry, RuleAction } from '#shared/moderation/rules-contract.ts';
import type { ModerationSeverity, WarningType } from '#shared/moderation/rules.ts';

/** Labels of moderation values. */

export const REPORT_TYPES: Record<ReportType, string> = {
  inappropriate_content: 'Inappropriate content',
  harassment: 'Harassment',
  illegal_activity: 'Illegal activity',
  spam: 'Spam',
  underage_content: 'Underage content',
  drugs: 'Drugs',
  violence: 'Violence',
  animal_abuse: 'Animal abuse',
  other: 'Something else',
};

export const REPORT_SUBJECTS: Record<ReportSubject, string> = {
  message: 'Message',
  person: 'Person',
  picture: 'Photo',
  friend_request: 'Friend request',
  planned_walk: 'Planned walk',
  account: 'Flagged account',
};

/** The name of a report's reporter: automatic flags have none. */
export const reporterName = ({ reporter }: Pick<AdminReport, 'reporter'>): string =>
  reporter.name ?? (reporter.user_id === '' ? 'Automatic check' : 'Deleted account');

export const CONTENT_TYPES: Record<ContentType, string> = {
  display_name: 'Display name',
  about: 'Line about the owner',
  dog_name: 'Dog’s name',
  sound_name: 'Sound name',
  hazard: 'Hazard',
  planned_walk: 'Planned walk',
  location: 'Location',
  location_tip: 'Tip',
  charity: 'Charity',
  advertisement: 'Ad',
  picture: 'Photo',
  friend_request: 'Friend request',
};

export const REPORT_STATUSES: Record<ReportStatus, string> = {
  pending: 'Pending',
  reviewed: 'Reviewed',
  resolved: 'Resolved',
  dismissed: 'Dismissed',
};

export const WARNING_TYPES: Record<WarningType, string> = {
  warning: 'Warning',
  restriction: 'Messaging restriction',
  suspension: 'Suspension',
  termination: 'Termination',
};

/** The states of appeals. */
export const APPEALS = { pending: 'Pending', upheld: 'Denied', lifted: 'Granted' } as const;

export const WARNING_SEVERITIES: Record<WarningSeverity, string> = {
  minor: 'Minor',
  moderate: 'Moderate',
  severe: 'Severe',
};

export const RULE_TYPES: Record<RuleType, string> = {
  word: 'Words (including obfuscated spellings)',
  text: 'Exact text',
  exception: 'Exception',
};

export const SEVERITIES: Record<ModerationSeverity, string> = {
  critical: 'Critical',
  high: 'High',
  medium: 'Medium',
  low: 'Low',
};

export const RULE_ACTIONS: Record<RuleAction, string> = {
  flag: 'Flag',
  block: 'Block',
  auto_delete: 'Delete',
  require_review: 'Queue for review',
};

export const ACTIONS_TAKEN: Record<LogEntry['action_taken'], string> = {
  flagged: 'Flagged',
  blocked: 'Blocked',
  hidden: 'Hidden',
  deleted: 'Deleted',
  warning_sent: 'Warning sent',
};

export const CATEGORIES: Record<GuidelineCategory, string> = {
  respectful_communication: 'Respectful communication',
  safety_first: 'Safety first',
  no_illegal_content: 'No illegal content',
  protect_minors: 'Protect minors',
  animal_welfare: 'Animal welfare',
  no_harassment: 'No harassment',
  spam_prevention: 'Spam prevention',
};

/** Of a rule or guideline. */
export const ACTIVITY = { yes: 'Active', no: 'Inactive' };
