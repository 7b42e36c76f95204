import type { Db } from 'mongodb';
import { placement as places } from '#shared/ads/contract.ts';
import {
  endOfSlot,
  LISTING_CENTS,
  LISTING_DAYS,
  SLOT_HOURS,
  timedAdCents,
} from '#shared/advertisers/rules.ts';
import { DAY_MS, MINUTE_MS } from '#shared/time.ts';
import { wordsOf } from '../../api/platform/admin/search.ts';
import { nextBookingId } from '../../api/features/ads/bookings.ts';
import { newListingId, type AdId, type BookingRow } from '../../api/features/ads/collections.ts';
import { adSlots } from '../../api/features/advertisers/slots.ts';
import { pointOf } from '../../api/features/locations/store.ts';
import { paidInSandbox } from './payments.ts';
import type { Rows } from './rows.ts';
import { moved, type Person, type Street } from './user-cluster.ts';
import { BUSINESSES, HOUSE_ADS, LAST_NAMES } from './sample-data.ts';

/** One of this many streets has a house ad, or an advertiser. */
const STREETS_PER_HOUSE_AD = 50;
const STREETS_PER_ADVERTISER = 25;
const SLOT_MS = SLOT_HOURS * 60 * MINUTE_MS;
/** Minimum age of clicks: the API may not have counted newer ones. */
const CLICKED_AGO_MS = 2 * 60 * MINUTE_MS;

/** Adds a house ad or an advertiser with a listing to some streets. */
export function addAdvertising(street: Street, rows: Rows): void {
  if (street.number % STREETS_PER_HOUSE_AD === 0) addHouseAd(street, rows);
  if (street.number % STREETS_PER_ADVERTISER === 0) addBusiness(street, rows);
}

/** Adds the clicks of an ad, and returns its counts. */
function addClicks(street: Street, ad: { id: AdId; title: string; url: string }, rows: Rows) {
  const random = street.random(`clicks ${ad.id}`);
  const clickers = street.people.filter(() => random.chance(0.3));
  for (const [i, { id }] of clickers.entries())
    rows.ad_clicks.push({
      _id: street.id(`click ${ad.id} ${i}`),
      ad_id: ad.id,
      ad_title: ad.title,
      ad_url: ad.url,
      user_id: id,
      who: street.id(`who ${i}`),
      clicked_at: new Date(street.now.getTime() - CLICKED_AGO_MS - random.uniform() * 20 * DAY_MS),
      doubt: null,
    });
  const impressions = clickers.length * random.integer(20, 60) + random.integer(0, 100);
  return { impressions, clicks: clickers.length, counted_until: street.now };
}

function addHouseAd(street: Street, rows: Rows): void {
  const random = street.random('house ad');
  const [words, description, placement] = random.pick(HOUSE_ADS);
  const _id = street.id('house ad');
  const title = `${words} ${street.number / STREETS_PER_HOUSE_AD + 1}`;
  const target_url = `https://example.com/ad/${street.number}`;
  rows.advertisements.push({
    _id,
    title,
    description,
    image_url: null,
    target_url,
    placement,
    priority: random.integer(1, 10),
    active: random.chance(0.8),
    created_at: (street.people as [Person])[0].joined,
    expires_at: null,
    words: wordsOf(title, description),
    ...addClicks(street, { id: _id, title, url: target_url }, rows),
  });
}

const emailOf = ({ seed, number }: Street) => `business-${seed}-${number}@example.com`;

function companyOf(street: Street) {
  const random = street.random('business');
  const [kind, business_type, description] = random.pick(BUSINESSES);
  return { name: `${random.pick(LAST_NAMES)}’s ${kind}`, business_type, description };
}

/** Adds the first payment for an ad. @returns its id */
function pay(
  ad: { advertiser_id: string; _id: AdId },
  amount_cents: number,
  at: Date,
  { now }: Street,
  rows: Rows,
) {
  const _id = `${ad._id}.0.1`;
  const paid = { kind: 'advertisement', email: null, status: 'completed' } as const;
  rows.ad_payments.push({
    ...paidInSandbox({ ...paid, _id, amount_cents, at, now }, rows),
    advertiser_id: ad.advertiser_id,
    advertisement_id: ad._id,
    period: 0,
    attempt: 1,
    paid_at: at,
  });
  return _id;
}

function addBusiness(street: Street, rows: Rows): void {
  const random = street.random('listing');
  const { name, business_type, description } = companyOf(street);
  const [contact] = street.people as [Person];
  const email = emailOf(street);
  const advertiser_id = street.id('advertiser');
  const started = new Date(street.now.getTime() - random.integer(1, 45) * DAY_MS);
  rows.advertisers.push({
    _id: advertiser_id,
    holder: street.id('advertiser’s browser'),
    email,
    company_name: name,
    contact_name: contact.name,
    phone: '+1 555 010 0100',
    billing_address: null,
    words: wordsOf(name, contact.name, email),
    time_zone: 'UTC',
    created_at: started,
    updated_at: started,
  });
  const _id = newListingId(street.id('listing'));
  const payment = pay({ advertiser_id, _id }, LISTING_CENTS, started, street, rows);
  const end = new Date(started.getTime() + LISTING_DAYS * DAY_MS);
  const website_url = `https://example.com/business/${street.number}`;
  rows.business_listings.push({
    _id,
    advertiser_id,
    business_name: name,
    business_type,
    description,
    place: pointOf(moved(street.at, random.uniform() * 2 - 1, random.uniform() * 2 - 1)),
    address: `${random.integer(1, 200)} Market Street`,
    phone: '+1 555 010 0100',
    website_url,
    image_key: null,
    image_filename: null,
    search_radius_miles: random.integer(2, 10),
    monthly_cost_cents: LISTING_CENTS,
    payment_status: 'completed',
    subscription_start_date: started,
    subscription_end_date: end,
    paused_at: end > street.now && random.chance(0.1) ? street.now : null,
    paid: [payment],
    refunded_payments: [],
    created_at: started,
    // No emails about a listing that has ended before it was seeded.
    ...(end <= street.now && { notified: ['ended 1'] }),
    ...addClicks(street, { id: _id, title: name, url: website_url }, rows),
  });
}

/**
 * Books ad time for the business of a street, if it has one: the current slot for the first of each placement, then slots after and
 * before it. Runs one after the other, because the API's counter provides the numbers of bookings.
 * @param rows receives the payment and the clicks
 */
export async function bookTime(db: Db, street: Street, rows: Rows): Promise<void> {
  if (street.number % STREETS_PER_ADVERTISER !== 0) return;
  const bookings = db.collection<BookingRow>('advertisement_bookings');
  const request = street.id('booking');
  if (await bookings.findOne({ request }, { projection: { _id: 1 } })) return;
  const which = street.number / STREETS_PER_ADVERTISER;
  const placement = places.options[which % places.options.length] ?? 'banner';
  const current = Math.floor(street.now.getTime() / SLOT_MS);
  const turn = Math.floor(which / places.options.length);
  const start = new Date((current + slotOf(turn)) * SLOT_MS);
  const end = endOfSlot(start, SLOT_HOURS);
  const _id = await nextBookingId(db);
  const slots = adSlots(db);
  const slot = { ad: _id, start, end, until: null, payment: null };
  // A real advertiser may have bought the slot.
  if (end > street.now && !(await slots.reserve(placement, slot, street.now))) return;

  const { name, description } = companyOf(street);
  const cost_cents = timedAdCents(SLOT_HOURS);
  const created_at = new Date(start.getTime() - 2 * DAY_MS);
  const paid_at = created_at < street.now ? created_at : street.now;
  const title = `${name}: come by after the walk`.slice(0, 100);
  const target_url = `https://example.com/business/${street.number}`;
  const advertiser_id = street.id('advertiser');
  pay({ advertiser_id, _id }, cost_cents, paid_at, street, rows);
  await bookings.insertOne({
    _id,
    advertiser_id,
    title,
    description,
    image_key: null,
    image_filename: null,
    target_url,
    placement,
    scheduled_start_at: start,
    scheduled_end_at: end,
    duration_hours: SLOT_HOURS,
    cost_cents,
    payment_status: 'completed',
    cancelled_at: null,
    created_at: paid_at,
    request,
    notified: [
      ...(start <= street.now ? ['live'] : []),
      ...(end <= street.now ? ['finished'] : []),
    ],
    ...(start <= street.now
      ? addClicks(street, { id: _id, title, url: target_url }, rows)
      : { impressions: 0, clicks: 0, counted_until: street.now }),
  });
}

/** Returns a slot relative to the current one. One in four is in the future. */
function slotOf(turn: number): number {
  const ahead = Math.floor((turn + 3) / 4);
  return turn % 4 === 1 ? ahead : ahead - turn;
}
