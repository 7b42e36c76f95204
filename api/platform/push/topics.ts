import { HOUR_MS, MINUTE_MS } from '#shared/time.ts';
import type { PushTopic } from './collections.ts';

/** How long a push may wait for a device that is off. */
export const LASTS_MS: Record<PushTopic, number> = {
  message: 24 * HOUR_MS,
  friend_request: 3 * 24 * HOUR_MS,
  friend_answer: 3 * 24 * HOUR_MS,
  alert: 6 * HOUR_MS,
  hazard: HOUR_MS,
  moderation: 3 * 24 * HOUR_MS,
  report: 3 * 24 * HOUR_MS,
  walk: 30 * MINUTE_MS,
  invitation: 3 * 24 * HOUR_MS,
  access: 24 * HOUR_MS,
  walk_invitation: 3 * 24 * HOUR_MS,
  walk_change: 24 * HOUR_MS,
  walk_answer: 24 * HOUR_MS,
  walk_reminder: HOUR_MS,
};

/** What stays in the list of activities: messages are in the chats, and warnings are about now. */
export const isListed = (topic: PushTopic): boolean =>
  !['message', 'alert', 'hazard', 'walk'].includes(topic);

/** Safety first: these wake a phone, and pass quiet hours unless the owner objects. */
export const isUrgent = (topic: PushTopic): boolean => topic === 'alert' || topic === 'walk';
