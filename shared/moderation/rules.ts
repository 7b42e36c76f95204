export const MODERATION_SEVERITIES = ['critical', 'high', 'medium', 'low'] as const;
export type ModerationSeverity = (typeof MODERATION_SEVERITIES)[number];

/** Sanctions, in ascending order of severity. */
export const WARNING_TYPES = ['warning', 'restriction', 'suspension', 'termination'] as const;
export type WarningType = (typeof WARNING_TYPES)[number];

export const REASON_MAX = 500;
export const NOTES_MAX = 1000;
export const AUTHORITY_MAX = 200;
export const NOTICE_REFERENCE_MAX = 100;
export const ACTS_MAX = 50;
export const REPORT_DESCRIPTION_MIN = 10;
export const REPORT_DESCRIPTION_MAX = 500;
export const APPEAL_MIN = 10;
export const APPEAL_MAX = 1000;

/** The outcome of sending a message, by the most severe word in it. */
export type SendOutcome = 'blocked' | 'warned' | 'sent';

/** Critical words are not sent; high and medium ones are, with a warning; low ones are allowed. */
export function outcomeOf(broken: readonly { severity: ModerationSeverity }[]): SendOutcome {
  const has = (severity: ModerationSeverity) => broken.some((rule) => rule.severity === severity);
  if (has('critical')) return 'blocked';
  return has('high') || has('medium') ? 'warned' : 'sent';
}

interface Sanction {
  warning_type: WarningType;
  expires_at: string | null;
  lifted_at: string | null;
}

/** Whether a sanction is in effect, or still counts. */
export const isInForce = ({ expires_at, lifted_at }: Sanction, now: number): boolean =>
  lifted_at === null && (expires_at === null || Date.parse(expires_at) > now);

export interface ActiveSanctions<M> {
  /** The restriction that ends last: the user may not send messages. */
  restriction: M | null;
  /** The suspension that ends last: the user may not use the product. */
  suspension: M | null;
}

const endOf = ({ expires_at }: Sanction): number =>
  expires_at === null ? Infinity : Date.parse(expires_at);

/** The sanctions of a user that are in force. */
export function activeSanctions<M extends Sanction>(
  sanctions: readonly M[],
  now: number,
): ActiveSanctions<M> {
  const last = (...types: WarningType[]) =>
    sanctions
      .filter((sanction) => types.includes(sanction.warning_type) && isInForce(sanction, now))
      .toSorted((a, b) => endOf(b) - endOf(a))[0] ?? null;
  return { restriction: last('restriction'), suspension: last('suspension', 'termination') };
}

/** The severity of an offense, in a moderator's judgment. */
export type Gravity = 'ordinary' | 'serious' | 'illegal';

/**
 * The ladder of consequences. First: warning; second: temporary messaging restriction; serious: suspension; illegal:
 * termination and law enforcement notice.
 * @param earlier the sanctions of before; those that were lifted or have expired, or that no moderator decided on,
 * do not count
 */
export function nextSanction(
  earlier: readonly (Sanction & { issued_by_admin: boolean })[],
  gravity: Gravity,
  now: number,
): WarningType {
  if (gravity === 'illegal') return 'termination';
  if (gravity === 'serious') return 'suspension';
  const counted = earlier.filter(
    (sanction) => sanction.issued_by_admin && isInForce(sanction, now),
  );
  if (counted.length === 0) return 'warning';
  return counted.some(({ warning_type }) => warning_type !== 'warning')
    ? 'suspension'
    : 'restriction';
}

/** The default duration in days; null: permanent. For a warning, how long it counts. */
export const DAYS: Record<WarningType, number | null> = {
  warning: 180,
  restriction: 7,
  suspension: 30,
  termination: null,
};
export const DAYS_MAX = 365;

/**
 * The types of reports, the gravest first: the queue has those of the first group, then those of the second, each group by
 * age.
 */
export const REPORT_GRAVITY = [
  ['underage_content', 'illegal_activity', 'violence'],
  ['harassment', 'animal_abuse', 'drugs'],
  ['inappropriate_content', 'spam', 'other'],
] as const;

/** How many reports of the queue a moderator sees at once. */
export const QUEUE_MAX = 100;
/** How long a report or an appeal belongs to the moderator who opened it, unless they renew it. */
export const LEASE_MINUTES = 5;
/** For how many seconds the workspace lets a moderator undo a decision, and the most that a client may ask for. */
export const UNDO_SECONDS = 10;
export const UNDO_SECONDS_MAX = 60;
/** How many of their own reports a person sees. */
export const OWN_REPORTS_MAX = 50;
