import type { z } from 'zod';
import {
  describePoint,
  searchGeocoder,
  suggestGeocoder,
  type GeocoderResult,
} from '#shared/geocoder/contract.ts';
import { METERS_PER_MILE, metersBetween, type Place } from '#shared/place.ts';
import { mayPass } from '#shared/server/collections.ts';
import { serve } from '../../platform/http/mount-endpoint.ts';
import { ProviderFailure } from '../../platform/http/provider-failure.ts';
import { deleteDue } from '../../platform/retention.ts';
import type { Api } from '../../platform/services.ts';
import { findByName } from '../locations/find-by-name.ts';
import { placeOf } from '../locations/store.ts';
import { createAddressSearch } from './address-search.ts';
import { chooseGeocoder } from './choose-geocoder.ts';
import { geocoderResults } from './collections.ts';
import { gazetteer, GAZETTEER_ATTRIBUTION } from './gazetteer.ts';
import { ADDRESS_ATTRIBUTION, type FoundAddress } from './geocoder.ts';

type Answer = z.output<typeof searchGeocoder.answer>;

const PLACES_MAX = 5;
const TOWNS_MAX = 6;
const SUGGESTED_TOWNS = 3;
/** A town of both sources is this close to itself. */
const SAME_TOWN_METERS = 15_000;

const NO_PLACE = { id: null, is_osm: false };
const townResult = (town: FoundAddress): GeocoderResult => ({ ...town, ...NO_PLACE, kind: 'town' });

const nearOf = ({ latitude, longitude }: Partial<Place>): Place | null =>
  latitude === undefined || longitude === undefined ? null : { latitude, longitude };

/** Search for places, towns and addresses by name. */
export function mountGeocoder(api: Api): void {
  const { services } = api;
  const { db, env, log } = services;
  const geocoder = chooseGeocoder(env);
  const addresses = geocoder && createAddressSearch(db, geocoder, env.GEOCODER_REQUESTS_PER_SECOND);
  services.registerJob('geocoder results', () =>
    deleteDue(geocoderResults(db), { expires_at: { $lt: new Date() } }),
  );

  /** @param near the places around it come first */
  async function findPlaces(
    userId: string,
    query: string,
    near: Place | null,
  ): Promise<GeocoderResult[]> {
    const rows = await findByName(db, { userId, query, limit: PLACES_MAX, near });
    return rows.map((row) => ({
      kind: 'place',
      id: row._id,
      name: row.name,
      detail: row.address,
      ...placeOf(row),
      is_osm: row.imported !== undefined,
    }));
  }

  const findAddresses = (query: string) => unlessFailed(async () => addresses?.search(query) ?? []);

  /** @returns null if the geocoder failed */
  async function unlessFailed<T>(ask: () => Promise<T>): Promise<T | null> {
    try {
      return await ask();
    } catch (err) {
      if (!(err instanceof ProviderFailure)) throw err;
      log.warn({ err }, 'the geocoder failed');
      return null;
    }
  }

  serve(api, describePoint, async ({ query: point, visitor }) => {
    const isMember = visitor !== null && mayPass(visitor.user, new Date());
    const [found, list] = await Promise.all([
      isMember ? unlessFailed(async () => addresses?.reverse(point) ?? null) : null,
      gazetteer(),
    ]);
    const town = list.nearest(point);
    return {
      address: found && [found.name, found.detail].filter(Boolean).join(', '),
      town: town && {
        name: town.name,
        detail: town.detail,
        miles: Math.round((town.meters / METERS_PER_MILE) * 10) / 10,
      },
      attributions: [
        ...(found ? [ADDRESS_ATTRIBUTION] : []),
        ...(town ? [GAZETTEER_ATTRIBUTION] : []),
      ],
    };
  });

  serve(api, searchGeocoder, async ({ query: { query, ...around }, visitor }): Promise<Answer> => {
    const isMember = visitor !== null && mayPass(visitor.user, new Date());
    const near = nearOf(around);
    const isAsked = isMember && addresses !== null;
    const [places, found, list] = await Promise.all([
      isMember ? findPlaces(visitor.user._id, query, near) : [],
      isAsked ? findAddresses(query) : [],
      gazetteer(),
    ]);
    const towns = list
      .search(query, TOWNS_MAX, near)
      .filter(
        (town) =>
          !found?.some(
            (other) => other.name === town.name && metersBetween(other, town) < SAME_TOWN_METERS,
          ),
      );
    const results: GeocoderResult[] = [
      ...places,
      ...(found ?? []).map((address) => ({ ...address, ...NO_PLACE, kind: 'address' as const })),
      ...towns.map(townResult),
    ];
    return {
      results,
      addresses: !isAsked ? 'off' : found ? 'searched' : 'failed',
      attributions: [
        ...(results.some((result) => result.kind === 'address' || result.is_osm)
          ? [ADDRESS_ATTRIBUTION]
          : []),
        ...(towns.length > 0 ? [GAZETTEER_ATTRIBUTION] : []),
      ],
    };
  });

  serve(api, suggestGeocoder, async ({ query: { query, ...around }, visitor }) => {
    const near = nearOf(around);
    const isMember = visitor !== null && mayPass(visitor.user, new Date());
    const [places, list] = await Promise.all([
      isMember ? findPlaces(visitor.user._id, query, near) : [],
      gazetteer(),
    ]);
    const towns = list.search(query, SUGGESTED_TOWNS, near);
    return {
      results: [...places, ...towns.map(townResult)],
      attributions: [
        ...(places.some(({ is_osm }) => is_osm) ? [ADDRESS_ATTRIBUTION] : []),
        ...(towns.length > 0 ? [GAZETTEER_ATTRIBUTION] : []),
      ],
    };
  });
}
