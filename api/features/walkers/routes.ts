import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Place } from '#shared/place.ts';
import { DAY_MS, MINUTE_MS } from '#shared/time.ts';
import { countWalkers } from '#shared/walkers/contract.ts';
import { WALKER_STEPS, walkerStep } from '#shared/walkers/rules.ts';
import { sign } from '../../platform/hmac.ts';
import { serve } from '../../platform/http/mount-endpoint.ts';
import { deleteDue } from '../../platform/retention.ts';
import { offered, type Api } from '../../platform/services.ts';
import { NOT_DELETED, users } from '../../platform/session/collections.ts';
import { gazetteer, GAZETTEER_ATTRIBUTION } from '../geocoder/gazetteer.ts';
import { townWalkers } from './collections.ts';

const WEEK_MS = 7 * DAY_MS;
const EVERY_MS = 5 * MINUTE_MS;
/** In degrees, at most 600 m: the town of each cell is looked up once, by its center, so that it is the same whoever walks there first. */
const CELL = 0.005;
/** In memory. */
const CELLS_MAX = 20_000;
const BATCH = 500;
/** Who opens several accounts to learn from the number whether one other person walks in a town has to wait at least for so long. */
const NEWCOMER_MS = WEEK_MS;

/** The number of the week since the Monday after 1970 began. */
export const weekOf = (at: number): number => Math.floor((at - 4 * DAY_MS) / WEEK_MS);

const townId = ({ name, latitude, longitude }: Place & { name: string }): string =>
  `${name} ${latitude} ${longitude}`;

/**
 * Counts who walks in which town, by week, of the members of more than a week. The last whole week is told, so that no single walk changes
 * what is shown at a moment that tells who it was.
 */
export function mountWalkers(api: Api): void {
  const { services } = api;
  const { positions } = offered(api, 'proximity');
  const { db, env } = services;
  const townOfCell = new Map<string, string | null>();

  async function townAt({ latitude, longitude }: Place): Promise<string | null> {
    const [row, column] = [Math.floor(latitude / CELL), Math.floor(longitude / CELL)];
    const cell = `${row} ${column}`;
    let town = townOfCell.get(cell);
    if (town === undefined) {
      const center = { latitude: (row + 0.5) * CELL, longitude: (column + 0.5) * CELL };
      const nearest = (await gazetteer()).nearest(center);
      town = nearest && townId(nearest);
      if (townOfCell.size >= CELLS_MAX) townOfCell.clear();
      townOfCell.set(cell, town);
      // A lookup takes a millisecond, and reports must not wait for many.
      await nextTurn();
    }
    return town;
  }

  async function note(): Promise<void> {
    const now = Date.now();
    const week = weekOf(now);
    const expires_at = new Date((week + 3) * WEEK_MS + 4 * DAY_MS);
    const settled = { created_at: { $lt: new Date(now - NEWCOMER_MS) }, ...NOT_DELETED };
    const townOf = new Map<string, string>();
    const store = async () => {
      const counted = await users(db).distinct('_id', {
        _id: { $in: [...townOf.keys()] },
        ...settled,
      });
      const writes = counted.flatMap((userId) => {
        const town = townOf.get(userId);
        if (town === undefined) return [];
        const _id = sign(env.SYNC_SECRET, `town walker ${week} ${town} ${userId}`);
        const update = { $setOnInsert: { town, week, expires_at } };
        return [{ updateOne: { filter: { _id }, update, upsert: true } }];
      });
      townOf.clear();
      if (writes.length > 0) await townWalkers(db).bulkWrite(writes, { ordered: false });
    };
    for (const { userId, ...place } of Array.from(positions())) {
      const town = await townAt(place);
      if (town === null) continue;
      townOf.set(userId, town);
      if (townOf.size >= BATCH) await store();
    }
    await store();
  }

  services.registerJob('town walkers', note, { everyMs: EVERY_MS, onEveryNode: true });
  services.registerJob('old town walkers', () =>
    deleteDue(townWalkers(db), { expires_at: { $lt: new Date() } }),
  );

  serve(api, countWalkers, async ({ query }) => {
    const town = (await gazetteer()).nearest(query);
    const of = town && { town: townId(town), week: weekOf(Date.now()) - 1 };
    const count = of
      ? await townWalkers(db).countDocuments(of, { limit: WALKER_STEPS.at(-1) ?? 0 })
      : 0;
    return {
      town: town && { name: town.name, detail: town.detail },
      walkers: walkerStep(count),
      attributions: town ? [GAZETTEER_ATTRIBUTION] : [],
    };
  });
}
