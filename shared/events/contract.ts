import { z } from 'zod';
import { alertEvent, alertOverEvent } from '../alerts/contract.ts';
import { draftsEvent } from '../chat/contract.ts';
import { endpoint } from '../endpoint.ts';
import { hazardEvent } from '../hazards/contract.ts';
import { moderationEvent } from '../moderation/contract.ts';
import { plannedWalkEvent } from '../planned-walks/contract.ts';
import { answerEvent, cadenceEvent, encounterEvent } from '../proximity/contract.ts';
import { activityEvent } from '../push/contract.ts';

/** The events of GET /api/events, by name. */
export const serverEvent = z.discriminatedUnion('type', [
  encounterEvent,
  cadenceEvent,
  answerEvent,
  alertEvent,
  alertOverEvent,
  hazardEvent,
  moderationEvent,
  plannedWalkEvent,
  draftsEvent,
  activityEvent,
]);
export type ServerEvent = z.infer<typeof serverEvent>;

export const events = endpoint('GET', '/events', {
  access: 'member',
  answer: serverEvent,
  stream: 'events',
  failure: 'Failed to receive events',
});
