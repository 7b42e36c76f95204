import { createHash } from 'node:crypto';
import bs58check from 'bs58check';
import type { Collection, Db, Document, OptionalUnlessRequiredId } from 'mongodb';
import { nameWords } from '#shared/invitations/rules.ts';
import type { Place } from '#shared/place.ts';
import type { CardRow, UserRow } from '#shared/rows.ts';
import { wordsOf } from '../../api/admin/search.ts';
import { charityWords, type CharityRow } from '../../api/charities/rows.ts';
import { pairId, type PairRow } from '../../api/friends/pair.ts';
import type { LocationRow } from '../../api/locations/rows.ts';
import type { AdvertisementRow } from '../../api/ads/rows.ts';
import { ISSUER } from '../../api/session/stand-in-codes.ts';
import { choicesFor, idFor } from './choices.ts';
import { CHARITIES, DOG_NAMES, FIRST_NAMES, HOUSE_ADS, LAST_NAMES, PLACES } from './words.ts';

export interface CrowdSettings {
  db: Db;
  owners: number;
  seed: number;
  /** The middle of where they live, some hundred miles around. */
  at: Place;
  say: (line: string) => void;
}

const BATCH = 2_000;
const DAY_MS = 86_400_000;
/** How many owners there are to each of these. */
const OWNERS_A_PLACE = 20;
const OWNERS_A_CHARITY = 200;
const OWNERS_AN_AD = 1_000;

/**
 * Writes rows as the servers have them, a batch at a time: people with cards, dogs and friends, places, charities and
 * house ads. Row `n` of a seed is the same at any size, and what is there already stays.
 */
export async function fillCrowd({ db, owners, seed, at, say }: CrowdSettings): Promise<void> {
  const userId = (n: number) => idFor(seed, `owner ${n}`);
  const begun = Date.UTC(2025, 0, 1);
  const documentId = (n: number, kind: string) =>
    bs58check.encode(createHash('sha256').update(`${seed} ${n} ${kind}`).digest().subarray(0, 16));
  const named = (n: number) => {
    const chance = choicesFor(seed, `name ${n}`);
    return { given: chance.pick(FIRST_NAMES), family: chance.pick(LAST_NAMES) };
  };
  const around = (n: number, of: string): [longitude: number, latitude: number] => {
    const chance = choicesFor(seed, `${of} at ${n}`);
    const latitude = at.latitude + (chance.uniform() - 0.5) * 3;
    return [at.longitude + (chance.uniform() - 0.5) * 4, Math.max(-89, Math.min(89, latitude))];
  };

  await fill(db.collection<UserRow>('users'), owners, (n) => {
    const { given, family } = named(n);
    const email = `crowd-${seed}-${n}@example.com`;
    return {
      _id: userId(n),
      identity: `${ISSUER} ${email}`,
      email,
      email_verified: true,
      given_name: given,
      name: `${given} ${family}`,
      picture: null,
      is_admin: false,
      access_expires_at: new Date(Date.now() + 30 * DAY_MS),
      documents: {
        card: documentId(n, 'card'),
        account: documentId(n, 'account'),
        circle: documentId(n, 'circle'),
      },
      documents_ready: false,
      created_at: new Date(begun + n * 1_000),
    };
  });
  await fill(db.collection<CardRow>('cards'), owners, (n) => {
    const chance = choicesFor(seed, `card ${n}`);
    const { given, family } = named(n);
    const display_name = `${given} ${family}`;
    const created_at = new Date(begun + n * 1_000);
    return {
      _id: userId(n),
      document_id: documentId(n, 'card'),
      display_name,
      name_words: nameWords(display_name),
      is_location_sharing_enabled: chance.chance(0.7),
      join_date: created_at.toISOString(),
      dogs: Array.from({ length: chance.whole(1, 2) }, (_, dog) => ({
        id: idFor(seed, `dog ${n} ${dog}`),
        name: chance.pick(DOG_NAMES),
        sound_type: chance.chance(0.35) ? ('leash_on' as const) : ('leash_off' as const),
        image_key: null,
        created_at: created_at.toISOString(),
      })),
      updated_at: created_at,
    };
  });
  say(`${owners} owners with cards and dogs`);

  // Each with the next one, and every second with the one after that.
  const pairs = Math.max(0, owners - 1) + Math.floor(Math.max(0, owners - 2) / 2);
  await fill(db.collection<PairRow>('pairs'), pairs, (n): PairRow => {
    const isNext = n < owners - 1;
    const first = isNext ? n : (n - (owners - 1)) * 2;
    const one = userId(first);
    const other = userId(first + (isNext ? 1 : 2));
    const [low, high] = [one, other].toSorted() as [string, string];
    return {
      _id: pairId(one, other),
      users: [low, high],
      standing: 'friends',
      since: new Date(begun + n * 1_000),
      request: null,
      blocks: [],
      were_friends: true,
      version: 1,
      views: { [one]: 1, [other]: 1 },
      // Their circles are not there yet: nothing is to be brought in line.
      is_projected: true,
    };
  });
  const places = Math.ceil(owners / OWNERS_A_PLACE);
  await fill(db.collection<LocationRow>('locations'), places, (n): LocationRow => {
    const chance = choicesFor(seed, `place ${n}`);
    const [name, location_type, description] = chance.pick(PLACES);
    const told = {
      name: `${name} ${n + 1}`,
      address: `${chance.whole(1, 999)} ${name} Road`,
    };
    const made = new Date(begun + n * 1_000);
    return {
      _id: idFor(seed, `place ${n}`),
      creator_user_id: userId(n % owners),
      ...told,
      words: wordsOf(told.name, told.address),
      open_reports: 0,
      description,
      point: { type: 'Point', coordinates: around(n, 'place') },
      location_type,
      leash_required: chance.chance(0.4),
      parking_available: chance.chance(0.6),
      water_available: chance.chance(0.5),
      restrooms_available: chance.chance(0.3),
      is_public: true,
      is_active: true,
      merged_into: null,
      visit_count: 0,
      rating_sum: 0,
      rating_count: 0,
      tip_count: 0,
      tips: [],
      created_at: made,
      updated_at: made,
      changes: 0,
      tips_turn: 0,
      is_checked: true,
      changed_at: made,
    };
  });
  const charities = Math.ceil(owners / OWNERS_A_CHARITY);
  await fill(db.collection<CharityRow>('charities'), charities, (n): CharityRow => {
    const chance = choicesFor(seed, `charity ${n}`);
    const [name, description] = chance.pick(CHARITIES);
    const charity_name = `${name} ${n + 1}`;
    const told = {
      charity_name,
      city: chance.pick(LAST_NAMES),
      state: 'Oregon',
      contact_email: `charity-${seed}-${n}@example.com`,
      tax_id: null,
    };
    return {
      _id: idFor(seed, `charity ${n}`),
      ...told,
      name_key: charity_name.toLowerCase(),
      words: charityWords(told),
      description,
      contact_name: chance.pick(FIRST_NAMES),
      phone: null,
      website_url: null,
      address: null,
      zip_code: null,
      payment_link: `https://example.com/give/${n}`,
      logo_key: null,
      source: 'suggestion',
      suggested_by_user_id: null,
      is_verified: chance.chance(0.9),
      is_active: true,
      donation_count: 0,
      total_donated_cents: 0,
      counted: [],
      created_at: new Date(begun + n * 1_000),
    };
  });
  const ads = Math.ceil(owners / OWNERS_AN_AD);
  await fill(db.collection<AdvertisementRow>('advertisements'), ads, (n): AdvertisementRow => {
    const chance = choicesFor(seed, `ad ${n}`);
    const [words, description, placement] = chance.pick(HOUSE_ADS);
    const title = `${words} ${n + 1}`;
    return {
      _id: idFor(seed, `ad ${n}`),
      title,
      description,
      image_url: null,
      target_url: `https://example.com/ad/${n}`,
      placement,
      priority: chance.whole(1, 10),
      active: chance.chance(0.8),
      created_at: new Date(begun + n * 1_000),
      expires_at: null,
      words: wordsOf(title, description),
      impressions: 0,
      clicks: 0,
      counted_until: new Date(begun),
    };
  });
  say(`${pairs} friendships, ${places} places, ${charities} charities, ${ads} house ads`);
}

const DUPLICATE = 11_000;

/** Writes rows 0 to `count` - 1, a batch at a time; those whose ids are there already stay as they are. */
async function fill<Row extends Document>(
  rows: Collection<Row>,
  count: number,
  make: (n: number) => OptionalUnlessRequiredId<Row>,
): Promise<void> {
  for (let from = 0; from < count; from += BATCH) {
    const batch = Array.from({ length: Math.min(BATCH, count - from) }, (_, i) => make(from + i));
    try {
      // What is lost with the power goes in again with the next run.
      await rows.insertMany(batch, { ordered: false, writeConcern: { w: 1, journal: false } });
    } catch (error) {
      if ((error as { code?: unknown }).code !== DUPLICATE) throw error;
    }
  }
}
