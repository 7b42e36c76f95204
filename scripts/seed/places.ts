import { visitDay } from '#shared/locations/rules.ts';
import { DAY_MS } from '#shared/time.ts';
import type {
  LocationRow,
  LocationStats,
  TipRow,
  VisitRow,
} from '../../api/features/locations/collections.ts';
import { MAX_STORED_TIPS } from '../../api/features/locations/location-stats.ts';
import { pointOf } from '../../api/features/locations/store.ts';
import { wordsOf } from '../../api/platform/admin/search.ts';
import type { Rows } from './rows.ts';
import { LAST_NAMES, PLACES, TIPS } from './sample-data.ts';
import { moved, type Person, type Street } from './user-cluster.ts';

/** Adds the place where the people of a street walk, with their tips and visits, and its sums. @returns it */
export function addPlace(street: Street, rows: Rows): LocationRow {
  const random = street.random('place');
  const [creator] = street.people as [Person];
  const [kind, location_type, description] = random.pick(PLACES);
  const location_id = street.id('place');
  const name = `${random.pick(LAST_NAMES)} ${kind}`;
  const address = `${random.integer(1, 999)} ${kind} Road`;
  const tips = tipsOf(street, location_id);
  const visits = visitsOf(street, location_id);
  const at = moved(street.at, random.uniform() * 0.3 - 0.15, random.uniform() * 0.3 - 0.15);
  const place: LocationRow = {
    _id: location_id,
    creator_user_id: creator.id,
    name,
    description,
    address,
    words: wordsOf(name, address),
    point: pointOf(at),
    location_type,
    leash_required: random.chance(0.4),
    parking_available: random.chance(0.6),
    water_available: random.chance(0.5),
    restrooms_available: random.chance(0.3),
    is_public: true,
    is_active: true,
    merged_into: null,
    ...sumsOf(tips, visits),
    created_at: creator.joined,
    updated_at: creator.joined,
    changes: 0,
    tips_turn: 0,
    is_checked: true,
    changed_at: street.now,
  };
  rows.locations.push(place);
  rows.location_tips.push(...tips);
  rows.location_visits.push(...visits);
  return place;
}

function tipsOf(street: Street, location_id: string): TipRow[] {
  const random = street.random('tips');
  const chosen = TIPS.filter(() => random.chance(0.5));
  return chosen.map(([tip_type, title, content], i) => {
    const author = random.pick(street.people);
    const helped = street.people.filter(({ id }) => id !== author.id && random.chance(0.15));
    return {
      _id: street.id(`tip ${i}`),
      location_id,
      creator_user_id: author.id,
      tip_type,
      title,
      content,
      helpful_user_ids: helped.map(({ id }) => id),
      is_helpful_count: helped.length,
      is_public: true,
      is_active: true,
      created_at: new Date(street.now.getTime() - random.integer(1, 400) * DAY_MS),
    };
  });
}

function visitsOf(street: Street, location_id: string): VisitRow[] {
  const random = street.random('visits');
  return street.people.flatMap(({ id }, i) =>
    Array.from({ length: Math.max(0, random.integer(-1, 2)) }, (_, n): VisitRow => {
      // Users can visit a place once a day: the second visit is in another month.
      const visit_date = new Date(street.now.getTime() - (n * 30 + random.integer(1, 29)) * DAY_MS);
      return {
        _id: street.id(`visit ${i} ${n}`),
        location_id,
        user_id: id,
        day: visitDay(visit_date),
        visit_date,
        rating: random.chance(0.7) ? random.integer(3, 5) : null,
        notes: null,
        latitude: null,
        longitude: null,
      };
    }),
  );
}

/** Returns the sums that the API stores. */
function sumsOf(tips: readonly TipRow[], visits: readonly VisitRow[]): LocationStats {
  const latest = new Map<string, VisitRow>();
  for (const visit of visits) {
    const before = latest.get(visit.user_id);
    if (visit.rating !== null && (!before || before.day < visit.day))
      latest.set(visit.user_id, visit);
  }
  const ratings = Array.from(latest.values(), ({ rating }) => rating ?? 0);
  const best = tips.toSorted(
    (a, b) =>
      b.is_helpful_count - a.is_helpful_count ||
      b.created_at.getTime() - a.created_at.getTime() ||
      (a._id < b._id ? -1 : 1),
  );
  return {
    visit_count: visits.length,
    rating_sum: ratings.reduce((sum, rating) => sum + rating, 0),
    rating_count: ratings.length,
    tip_count: tips.length,
    tips: best.slice(0, MAX_STORED_TIPS).map(({ helpful_user_ids: _by, ...tip }) => tip),
    open_reports: 0,
  };
}
