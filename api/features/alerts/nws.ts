import { setTimeout as wait } from 'node:timers/promises';
import { gravity } from '#shared/alerts/rules.ts';
import { newId } from '#shared/ids.ts';
import type { Place } from '#shared/place.ts';
import { takeLease } from '#shared/server/lease.ts';
import { MINUTE_MS } from '#shared/time.ts';
import { cellKey, cellOf } from '#shared/weather/rules.ts';
import { fetchJson } from '../../platform/http/fetch-json.ts';
import { ProviderFailure } from '../../platform/http/provider-failure.ts';
import type { Services } from '../../platform/services.ts';
import { eachInTurn, type Everybody, type AlertBroadcaster } from './alert-broadcaster.ts';
import { capCollection, readCap } from './cap.ts';
import { nwsCells } from './collections.ts';
import { importMessages } from './import-messages.ts';
import { NWS_CELL_DECIMALS } from './store.ts';

export interface NwsWatch {
  /** A user is at a place: polls its cell now, if it is due, and for a while. Never throws. */
  look(userId: string, place: Place): Promise<void>;
  /** Polls every cell where a user is or recently asked. */
  lookAll(): Promise<void>;
}

/** The service allows one request per cell every 30 s. */
const POLL_MS = MINUTE_MS;
/** How long a cell is polled after a request: longer than devices wait between requests. */
const ASKED_MS = 10 * MINUTE_MS;
const PATIENCE_MS = 4_000;
const AT_ONCE = 4;
const CELLS_MAX = 200;
/** More than there ever are for a place. */
const MESSAGES_MAX = 100;

/** Where the service has alerts: the states and territories, roughly. */
const AREAS: readonly [south: number, north: number, west: number, east: number][] = [
  [24, 50, -125, -66],
  [51, 72, -180, -129],
  [51, 54, 172, 180],
  [18, 23, -161, -154],
  [17, 19, -68, -64],
  [13, 21, 144, 147],
  [-15, -10, -172, -168],
];
const isCovered = ({ latitude, longitude }: Place): boolean =>
  AREAS.some(
    ([south, north, west, east]) =>
      latitude >= south && latitude <= north && longitude >= west && longitude <= east,
  );

/** Polls the alerts of the US National Weather Service by cell, each on one server at a time. */
export function watchNws(
  services: Services,
  settings: { userAgent: string; url: string },
  everybody: Everybody,
  broadcaster: Pick<AlertBroadcaster, 'announceCell'>,
): NwsWatch {
  const { db, env, log } = services;
  /** One cell per user, so that no one can use up all of them. */
  const asked = new Map<string, { place: Place; until: number }>();
  const looks = services.limiter({ name: 'nws-looks', points: 30, seconds: 600 });
  let pausedUntil = 0;

  /** @returns whether this server may poll a cell now */
  async function claim(_id: string): Promise<boolean> {
    const holder = newId();
    return (await takeLease(nwsCells(db), _id, holder, { lastsMs: POLL_MS }))?.holder === holder;
  }

  async function poll(place: Place): Promise<void> {
    const cell = cellKey(place, NWS_CELL_DECIMALS);
    if (Date.now() < pausedUntil || !(await claim(cell))) return;
    const centre = cellOf(place, NWS_CELL_DECIMALS);
    const url = new URL(`${settings.url}/alerts/active`);
    url.search = new URLSearchParams({
      status: 'actual',
      point: `${centre.latitude},${centre.longitude}`,
    }).toString();
    try {
      const { features } = await fetchJson(capCollection, url, {
        signal: AbortSignal.timeout(env.WEATHER_TIMEOUT_MS),
        headers: { 'user-agent': settings.userAgent, accept: 'application/geo+json' },
      });
      const messages = features
        .flatMap((feature) => readCap(feature) ?? [])
        .toSorted((a, b) => gravity(b.severity) - gravity(a.severity))
        .slice(0, MESSAGES_MAX);
      await importMessages(db, centre, messages);
      await broadcaster.announceCell(cell);
    } catch (err) {
      if (!(err instanceof ProviderFailure)) throw err;
      if (err.status === 429) pausedUntil = Date.now() + (err.retryAfterMs ?? MINUTE_MS);
      log.warn({ err }, 'could not read the alerts of the weather service');
    }
  }

  const quietly = (place: Place) =>
    poll(place).catch((err: unknown) => log.warn({ err }, 'could not import alerts'));

  return {
    async look(userId, place) {
      if (!isCovered(place)) return;
      asked.set(userId, { place, until: Date.now() + ASKED_MS });
      // The service blocks clients that ask too often, which would affect all users.
      if (!(await looks.admits(userId))) return;
      await Promise.race([quietly(place), wait(PATIENCE_MS, undefined, { ref: false })]);
    },
    async lookAll() {
      const cells = new Map<string, Place>();
      const add = (place: Place) => cells.set(cellKey(place, NWS_CELL_DECIMALS), place);
      await eachInTurn(everybody, (person) => {
        if (isCovered(person)) add(person);
      });
      for (const [userId, { place, until }] of asked)
        if (until > Date.now()) add(place);
        else asked.delete(userId);
      const places = [...cells.values()].slice(0, CELLS_MAX);
      const work = async () => {
        for (let place = places.pop(); place; place = places.pop()) await quietly(place);
      };
      await Promise.all(Array.from({ length: AT_ONCE }, work));
    },
  };
}
