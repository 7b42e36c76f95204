import { formatLongDate } from '#shared/dates.ts';
import type { UserWarning } from '#shared/moderation/contract.ts';
import type { WarningType } from '#shared/moderation/rules.ts';
import { isInForce } from '#shared/moderation/rules.ts';
import { WARNING_TYPES } from './admin/labels.ts';

/** Title and meaning of each sanction, for the user. */
export const SANCTIONS: Record<WarningType, { title: string; meaning: string }> = {
  warning: {
    title: 'You received a warning',
    meaning: 'Please follow our community guidelines.',
  },
  restriction: {
    title: 'You can’t send messages for now',
    meaning: 'You can still read your messages, and everything else works as before.',
  },
  suspension: {
    title: 'Your account is suspended',
    meaning: 'You can’t use the app, and others can’t see you on a walk.',
  },
  termination: {
    title: 'Your account is closed',
    meaning: 'This doesn’t expire. You can still download your data and delete your account.',
  },
};

/** Formats when a sanction ends; null for warnings and without an end. */
export const untilWords = ({ warning_type, expires_at }: UserWarning): string | null =>
  expires_at && warning_type !== 'warning' ? `Until ${formatLongDate(expires_at)}` : null;

/** Whether a sanction has expired. */
export const isOver = (warning: UserWarning, now: number): boolean =>
  warning.lifted_at === null && !isInForce(warning, now);

/** Returns the title of a sanction, with its state. */
export function titleOf(warning: UserWarning, now: number): string {
  const type = WARNING_TYPES[warning.warning_type];
  if (warning.lifted_at) return `${type}, revoked`;
  return isOver(warning, now) ? `${type}, expired` : SANCTIONS[warning.warning_type].title;
}

/** Returns what a sanction that wasn't revoked means now. */
export function meaningOf(warning: UserWarning, now: number): string {
  const { warning_type, expires_at, issued_by_admin } = warning;
  if (isOver(warning, now)) return `It ended on ${formatLongDate(expires_at ?? '')}.`;
  const { meaning } = SANCTIONS[warning_type];
  // Automatic warnings don't lead to the next sanction.
  return warning_type === 'warning' && issued_by_admin
    ? `${meaning} If it happens again, you won’t be able to send messages for a while.`
    : meaning;
}

/**
 * Orders warnings: unacknowledged ones first, then at most `most` others, but always the active restriction.
 * @param warnings newest first
 */
export function inOrder(
  warnings: readonly UserWarning[],
  unseen: readonly UserWarning[],
  restriction: UserWarning | null,
  most: number,
): UserWarning[] {
  const seen = warnings.filter((warning) => !unseen.includes(warning));
  return [...unseen, ...seen.filter((warning, i) => i < most || warning === restriction)];
}

/** Formats the day when a sanction started. */
export const sinceWords = ({ created_at }: UserWarning): string => formatLongDate(created_at);
