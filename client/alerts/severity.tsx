import { CircleAlert, Info, OctagonAlert, TriangleAlert, type LucideIcon } from 'lucide-react';
import { formatWeekdayTime } from '#shared/dates.ts';
import type { Severity } from '#shared/alerts/contract.ts';

/** Names of the severities, worst first. */
export const SEVERITY_WORDS: Record<Severity, string> = {
  extreme: 'Extreme',
  severe: 'Severe',
  moderate: 'Moderate',
  minor: 'Minor',
};

/** How each severity looks. */
export const SEVERITY_LOOKS: Record<Severity, { Icon: LucideIcon; look: string }> = {
  extreme: { Icon: OctagonAlert, look: 'border-ink bg-ink text-ground' },
  severe: { Icon: TriangleAlert, look: 'border-ink bg-sunken' },
  moderate: { Icon: CircleAlert, look: 'border-ink bg-surface' },
  minor: { Icon: Info, look: 'border-line bg-surface' },
};

/** Formats when an alert expires. */
export const untilWords = (expiresAt: string | null): string =>
  expiresAt === null ? 'Until further notice' : `Until ${formatWeekdayTime(expiresAt)}`;
