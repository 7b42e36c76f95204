import type { ServerEvent } from '#shared/events/contract.ts';
import { REPEAT_SECONDS } from '#shared/proximity/rules.ts';
import type { SendOptions } from '../../platform/events/event-streams.ts';
import type { ProximityEventRow } from './collections.ts';
import { asNearby, type Person } from './engine/active-user.ts';
import type { Course } from './engine/course.ts';

export const encounterEvent = (
  row: ProximityEventRow,
  other: Person,
  course: Course = {},
): ServerEvent => ({
  type: 'encounter',
  id: row._id,
  triggered_at: row.triggered_at.toISOString(),
  user: { ...asNearby(other, row.distance_feet), ...course },
});

/** An encounter is delivered once, even if several nodes announce it. */
export const sendOptions = (row: ProximityEventRow, otherId: string): Required<SendOptions> => ({
  id: row._id,
  once: onceOf(`encounter ${otherId}`),
});

export const onceOf = (key: string) => ({ key, seconds: REPEAT_SECONDS - 2 });
