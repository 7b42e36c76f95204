import type { UserWarning, WarningType } from '#shared/moderation/contract.ts';

/** What each means for the person concerned. */
export const MEASURES: Record<WarningType, { title: string; meaning: string }> = {
  warning: {
    title: 'A warning',
    meaning:
      'Please keep to our community guidelines. A second time you cannot send messages for a while.',
  },
  restriction: {
    title: 'You cannot send messages for now',
    meaning: 'You can still read your messages, and everything else works as before.',
  },
  suspension: {
    title: 'Your account is suspended',
    meaning: 'You cannot use the app, and nobody sees you on a walk.',
  },
  termination: {
    title: 'Your account is closed',
    meaning:
      'This does not end by itself. You can still take your data along and delete your account.',
  },
};

/** Made when it is needed: the browser's own words take a phone longer than a whole screen. */
const dayWords = (at: string): string =>
  new Intl.DateTimeFormat(undefined, { dateStyle: 'long' }).format(new Date(at));

/** Until when it holds, in words; null where that is not to be said. */
export const untilWords = ({ warning_type, expires_at }: UserWarning): string | null =>
  expires_at && warning_type !== 'warning' ? `Until ${dayWords(expires_at)}` : null;

/** The day from which a measure holds. */
export const sinceWords = ({ created_at }: UserWarning): string => dayWords(created_at);
