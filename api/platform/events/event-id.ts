import { randomToken } from '../random-token.ts';

/** Returns an id for an event at a time in milliseconds. The ids sort by time. */
export const eventId = (at: number): string =>
  `${at.toString(36).padStart(9, '0')}-${randomToken(9)}`;

/** Returns the time of an event in milliseconds; null if the id is invalid. */
export function timeOfEvent(id: string): number | null {
  const at = parseInt(id.split('-')[0] ?? '', 36);
  return Number.isFinite(at) ? at : null;
}
