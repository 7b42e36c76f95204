import { formatLongDate } from '#shared/dates.ts';
import type { UserWarning, WarningType } from '#shared/moderation/contract.ts';
import { isInForce } from '#shared/moderation/rules.ts';
import { WARNING_TYPES } from './admin/labels.ts';

/** What each means for the person concerned. */
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

/** Until when what holds does so, in words; null where that is not to be said. */
export const untilWords = ({ warning_type, expires_at }: UserWarning): string | null =>
  expires_at && warning_type !== 'warning' ? `Until ${formatLongDate(expires_at)}` : null;

/** Whether a sanction has ended by itself. */
export const isOver = (warning: UserWarning, now: number): boolean =>
  warning.lifted_at === null && !isInForce(warning, now);

/** What it is called, which says whether it holds. */
export function titleOf(warning: UserWarning, now: number): string {
  const type = WARNING_TYPES[warning.warning_type];
  if (warning.lifted_at) return `${type}, revoked`;
  return isOver(warning, now) ? `${type}, expired` : SANCTIONS[warning.warning_type].title;
}

/** What a sanction that was not taken back means now. */
export function meaningOf(warning: UserWarning, now: number): string {
  const { warning_type, expires_at, issued_by_admin } = warning;
  if (isOver(warning, now)) return `It ended on ${formatLongDate(expires_at ?? '')}.`;
  const { meaning } = SANCTIONS[warning_type];
  // What rules did is no step on the ladder.
  return warning_type === 'warning' && issued_by_admin
    ? `${meaning} If it happens again, you won’t be able to send messages for a while.`
    : meaning;
}

/**
 * What there is to read, in order: first what is to be acknowledged; then the rest, as many as are asked for, but always what holds.
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

/** The day from which a sanction holds. */
export const sinceWords = ({ created_at }: UserWarning): string => formatLongDate(created_at);
