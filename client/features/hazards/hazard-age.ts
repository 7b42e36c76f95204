import { ROUNDED_MINUTES } from '#shared/hazards/rules.ts';
import { MINUTE_MS } from '#shared/time.ts';
import { ageWords } from '../../platform/duration-words.ts';
import type { ShownHazard } from './use-hazards.ts';

/** Returns how long ago a hazard was reported; only the reporter's own device knows the exact time. */
export const hazardAge = ({ reported_at, isWaiting }: ShownHazard, now: number): string =>
  ageWords(Math.max(0, now - Date.parse(reported_at)), isWaiting ? 0 : ROUNDED_MINUTES * MINUTE_MS);
