import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Place } from '#shared/place.ts';
import { DAY_MS } from '#shared/time.ts';
import { countWalkers } from '#shared/walkers/contract.ts';
import { WALKER_STEPS, walkerStep } from '#shared/walkers/rules.ts';
import { sign } from '../../platform/hmac.ts';
import { serve } from '../../platform/http/mount-endpoint.ts';
import { deleteDue } from '../../platform/retention.ts';
import { offered, type Api } from '../../platform/services.ts';
import { gazetteer, GAZETTEER_ATTRIBUTION } from '../geocoder/gazetteer.ts';
import { townWalkers, type TownWalkerRow } from './collections.ts';

const WEEK_MS = 7 * DAY_MS;
const EVERY_MS = 5 * 60_000;
/** In degrees: the towns of a few kilometers are looked up once for all who walk there. */
const CELL = 0.05;
const BATCH = 500;

/** The number of the week since the Monday after 1970 began. */
export const weekOf = (at: number): number => Math.floor((at - 4 * DAY_MS) / WEEK_MS);

const townId = ({ name, latitude, longitude }: Place & { name: string }): string =>
  `${name} ${latitude} ${longitude}`;

/**
 * Counts who walks in which town, by week. The last whole week is told, so that no single walk changes what is shown at a moment that tells
 * who it was.
 */
export function mountWalkers(api: Api): void {
  const { services } = api;
  const { positions } = offered(api, 'proximity');
  const { db, env } = services;

  async function note(): Promise<void> {
    const now = Date.now();
    const week = weekOf(now);
    const expires_at = new Date((week + 3) * WEEK_MS + 4 * DAY_MS);
    const towns = await gazetteer();
    const known = new Map<string, string | null>();
    let rows: TownWalkerRow[] = [];
    const store = async () => {
      const batch = rows;
      rows = [];
      if (batch.length === 0) return;
      await townWalkers(db).bulkWrite(
        batch.map(({ _id, ...row }) => ({
          updateOne: { filter: { _id }, update: { $setOnInsert: row }, upsert: true },
        })),
        { ordered: false },
      );
    };
    for (const { userId, latitude, longitude } of Array.from(positions())) {
      const cell = `${Math.floor(latitude / CELL)} ${Math.floor(longitude / CELL)}`;
      let town = known.get(cell);
      if (town === undefined) {
        const nearest = towns.nearest({ latitude, longitude });
        town = nearest && townId(nearest);
        known.set(cell, town);
        // A lookup takes a millisecond, and reports must not wait for many.
        await nextTurn();
      }
      if (town === null) continue;
      const _id = sign(env.SYNC_SECRET, `town walker ${week} ${town} ${userId}`);
      rows.push({ _id, town, week, expires_at });
      if (rows.length >= BATCH) await store();
    }
    await store();
  }

  services.sweep('town walkers', note, { everyMs: EVERY_MS, onEveryNode: true });
  services.sweep('old town walkers', () =>
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
