import { NOTIFIED_METERS } from '#shared/hazards/rules.ts';
import { metersBetween } from '#shared/place.ts';
import { noticeKey } from '#shared/push/contract.ts';
import type { Services } from '../../platform/services.ts';
import type { PositionsOf } from '../alerts/alert-broadcaster.ts';
import { placeOf } from '../locations/store.ts';
import { positions } from '../proximity/collections.ts';
import { cellsWithin } from '../proximity/nodes/followed-cells.ts';
import type { HazardRow } from './collections.ts';
import { presentHazard } from './store.ts';

/** Notifies people who share a position near a new hazard, by an event and a push. Its author isn't notified. */
export async function notifyOfHazard(
  { db, events, push }: Pick<Services, 'db' | 'events' | 'push'>,
  positionsOf: PositionsOf,
  row: HazardRow,
): Promise<void> {
  const place = placeOf(row);
  const inCells = await positions(db)
    .find(
      { cell: { $in: cellsWithin(place, NOTIFIED_METERS) }, _id: { $ne: row.creator_user_id } },
      { projection: { _id: 1 } },
    )
    .toArray();
  // Read again, because only fresh positions of users with access count.
  for (const person of await positionsOf(inCells.map(({ _id }) => _id))) {
    if (metersBetween(person, place) > NOTIFIED_METERS) continue;
    events.send(person.userId, { type: 'hazard', hazard: presentHazard(row, person.userId) });
    await push.notify({
      topic: 'hazard',
      user_id: person.userId,
      subject: row._id,
      key: noticeKey.hazard(person.userId, row._id),
      tag: `hazard:${row._id}`,
    });
  }
}
