import { type LucideIcon, UserRound } from 'lucide-react';
import { LEASH } from '../../../platform/ui/layout/leash-badge.tsx';
import type { ShownAlert } from '../alerts/shown-alert.ts';
import { soundOf } from '../alerts/verdict.ts';

const PERSON = { Icon: UserRound, strong: 'border border-line-strong bg-surface text-ink' };

/** The icon and the colors of an alert: those of its risk, or of a person without dogs. */
export const lookOf = (alert: ShownAlert): { Icon: LucideIcon; strong: string } =>
  alert.dogs.length > 0 ? LEASH[soundOf(alert)] : PERSON;
