import { CircleAlert, Info, OctagonAlert, TriangleAlert, type LucideIcon } from 'lucide-react';
import type { Severity } from '#shared/alerts/contract.ts';

/** How each severity looks and is called. */
export const SEVERITY: Record<Severity, { word: string; Icon: LucideIcon; look: string }> = {
  extreme: { word: 'Extreme', Icon: OctagonAlert, look: 'border-ink bg-ink text-ground' },
  severe: { word: 'Severe', Icon: TriangleAlert, look: 'border-ink bg-sunken' },
  moderate: { word: 'Moderate', Icon: CircleAlert, look: 'border-ink bg-surface' },
  minor: { word: 'Minor', Icon: Info, look: 'border-line bg-surface' },
};

const timeOf = (iso: string): string =>
  new Date(iso).toLocaleString(undefined, { weekday: 'short', hour: 'numeric', minute: '2-digit' });

/** Until when an alert holds, in words. */
export const untilWords = (expiresAt: string | null): string =>
  expiresAt === null ? 'Until further notice' : `Until ${timeOf(expiresAt)}`;
