import { CircleAlert, Info, OctagonAlert, TriangleAlert, type LucideIcon } from 'lucide-react';
import type { Severity } from '#shared/alerts/contract.ts';
import { formatWeekdayTime } from '#shared/dates.ts';

/** Names of the severities, worst first. */
export const SEVERITY_WORDS: Record<Severity, string> = {
  extreme: 'Extreme',
  severe: 'Severe',
  moderate: 'Moderate',
  minor: 'Minor',
};

/** How each severity looks: the color of its risk, next to its icon and word. */
export const SEVERITY_LOOKS: Record<
  Severity,
  { Icon: LucideIcon; look: string; iconLook: string }
> = {
  extreme: { Icon: OctagonAlert, look: 'border-poor bg-poor text-on-level', iconLook: '' },
  severe: { Icon: TriangleAlert, look: 'border-poor bg-poor-soft', iconLook: 'text-poor' },
  moderate: { Icon: CircleAlert, look: 'border-fair bg-surface', iconLook: 'text-fair' },
  minor: { Icon: Info, look: 'border-line bg-surface', iconLook: '' },
};

/** Formats when an alert expires. */
export const untilWords = (expiresAt: string | null): string =>
  expiresAt === null ? 'Until further notice' : `Until ${formatWeekdayTime(expiresAt)}`;
