import type { Db } from 'mongodb';
import type { FoundLocation } from '#shared/locations/schemas.ts';
import type { Place } from '#shared/place.ts';
import { cookieName } from '#shared/server/cookie-names.ts';
import { SESSION_COOKIE } from '#shared/session/cookies.ts';
import type { LocationRow } from '../../api/features/locations/collections.ts';
import { openLine, type Line } from '../http-load.ts';
import { pointOf } from '../location/crowd.ts';
import { fill, upTo } from '../location/fill.ts';
import { ORIGIN, seedMembers, startApi } from '../location/ours.ts';
import { stopProcess } from '../sync/processes.ts';
import { idOf, PLACES, placeAt, tipsOf } from './dataset.ts';

const TOKEN = 'token-of-a-searcher';
const SEARCHER = 'searcher';

/** Our places, tips and one who is signed in. */
export async function seedPlaces(db: Db): Promise<void> {
  const now = new Date();
  await seedMembers(
    db,
    [0],
    () => SEARCHER,
    () => TOKEN,
  );
  await fill(db.collection<LocationRow>('locations'), upTo(PLACES), (index): LocationRow => {
    const tips = tipsOf(index);
    return {
      _id: idOf(index),
      creator_user_id: `owner-${index % 1_000}`,
      name: `Place ${index}`,
      description: 'A meadow with old oaks.',
      address: '',
      point: pointOf(placeAt(index)),
      location_type: 'park',
      leash_required: false,
      parking_available: true,
      water_available: false,
      restrooms_available: false,
      is_public: true,
      is_active: true,
      merged_into: null,
      created_at: now,
      updated_at: now,
      words: ['place', String(index)],
      visit_count: index % 100,
      rating_sum: 4,
      rating_count: 1,
      tip_count: tips.length,
      tips,
      open_reports: 0,
      changes: 0,
      tips_turn: 0,
      is_checked: true,
      changed_at: now,
    };
  });
}

export interface Searches {
  port: number;
  pid: number;
  /** Searches from a place, on a connection to `port`. */
  search(line: Line, from: Place): Promise<void>;
  /** The results: each place with the ids of its tips. */
  found(from: Place): Promise<{ id: string; tips: string[] }[]>;
  stop(): Promise<void>;
}

/** Starts the real API in a process of its own, which creates the indexes, and then fills the database. */
export async function startSearches(
  uri: string,
  db: string,
  seed: () => Promise<void>,
): Promise<Searches> {
  const { child, port } = await startApi(uri, db);
  const ask = async (line: Line, { latitude, longitude }: Place) => {
    const query = `latitude=${latitude}&longitude=${longitude}&radius=10&include_tips=true`;
    const cookie = `cookie: ${cookieName(ORIGIN, SESSION_COOKIE)}=${TOKEN}\r\n`;
    const answer = await line.get(`/api/locations/search?${query}`, cookie);
    if (answer.status !== 200) throw new Error(`refused: ${answer.status} ${answer.body}`);
    return answer.body;
  };
  const ours: Searches = {
    port,
    pid: child.pid ?? 0,
    async search(line, from) {
      await ask(line, from);
    },
    async found(from) {
      const line = await openLine(port);
      try {
        const answer = JSON.parse(await ask(line, from)) as { locations: FoundLocation[] };
        return answer.locations.map(({ id, tips }) => ({ id, tips: tips.map((tip) => tip.id) }));
      } finally {
        line.close();
      }
    },
    stop: () => stopProcess(child),
  };
  try {
    await seed();
    return ours;
  } catch (error) {
    await ours.stop();
    throw error;
  }
}
