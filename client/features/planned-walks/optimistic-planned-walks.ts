import { plannedWalkFields, type PlannedWalk } from '#shared/planned-walks/contract.ts';
import type { WaitingCall } from '../../platform/sync/outbox/outbox.ts';

/** A planned walk as the owner sees it on this device. */
export interface ShownPlannedWalk extends PlannedWalk {
  /** Whether it has unsent changes. */
  isWaiting: boolean;
}

interface Own {
  userId: string;
  /** Of friends, by their ids. */
  names: ReadonlyMap<string, string>;
}

/** Returns a walk with the fields of an unsent form; unchanged if the form can't be read. */
function withFields(walk: PlannedWalk, body: unknown, { userId, names }: Own): PlannedWalk {
  const { data } = plannedWalkFields.safeParse(body);
  if (!data) return walk;
  const isMoved = Date.parse(data.starts_at) !== Date.parse(walk.starts_at);
  const before = new Map(walk.participants.map((each) => [each.user_id, each]));
  return {
    ...walk,
    starts_at: data.starts_at,
    place_name: data.place_name,
    location_id: data.location_id ?? null,
    latitude: data.latitude ?? null,
    longitude: data.longitude ?? null,
    note: data.note,
    participants: data.participant_ids
      .filter((id) => id !== userId)
      .map((user_id) => ({
        user_id,
        name: names.get(user_id) ?? before.get(user_id)?.name ?? '',
        answer: isMoved ? null : (before.get(user_id)?.answer ?? null),
      })),
  };
}

const newWalk = (id: string, userId: string): PlannedWalk => ({
  id,
  starts_at: new Date(0).toISOString(),
  place_name: '',
  location_id: null,
  latitude: null,
  longitude: null,
  note: '',
  is_canceled: false,
  organizer: { user_id: userId, name: '' },
  is_own: true,
  own_answer: null,
  participants: [],
  others: { count: 0, coming: 0 },
});

/** Applies unsent calls to the walks from the server. @returns first to last */
export function plannedWalksWithWaiting(
  walks: readonly PlannedWalk[],
  waiting: readonly WaitingCall[],
  own: Own,
): ShownPlannedWalk[] {
  const shown = new Map(walks.map((walk) => [walk.id, { ...walk, isWaiting: false }]));
  const change = (id: string, to: (walk: PlannedWalk) => PlannedWalk) => {
    const walk = shown.get(id);
    if (walk) shown.set(id, { ...to(walk), isWaiting: true });
  };
  for (const call of waiting)
    switch (call.name) {
      case 'plannedWalks.create': {
        const { body } = call.input;
        // If it was sent a moment ago, the answer may already include it.
        if (shown.has(body.id)) break;
        const walk = withFields(newWalk(body.id, own.userId), body, own);
        shown.set(body.id, { ...walk, isWaiting: true });
        break;
      }
      case 'plannedWalks.update': {
        const { params, body } = call.input;
        change(params.id, (walk) => withFields(walk, body, own));
        break;
      }
      case 'plannedWalks.cancel':
        change(call.input.params.id, (walk) => ({ ...walk, is_canceled: true }));
        break;
      case 'plannedWalks.answer': {
        const { params, body } = call.input;
        change(params.id, (walk) => ({ ...walk, own_answer: body.answer }));
        break;
      }
      default:
    }
  return [...shown.values()].toSorted((a, b) => Date.parse(a.starts_at) - Date.parse(b.starts_at));
}
