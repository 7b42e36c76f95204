import { randomBytes } from 'node:crypto';

/** The id of something that happens at a time: as text, ids are in the order of time. */
export const eventId = (at: number): string =>
  `${at.toString(36).padStart(9, '0')}-${randomBytes(9).toString('base64url')}`;

/** When the event with this id happened, in milliseconds; null when it is no id of ours. */
export function timeOfEvent(id: string): number | null {
  const at = parseInt(id.split('-')[0] ?? '', 36);
  return Number.isFinite(at) ? at : null;
}
