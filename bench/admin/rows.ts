import type { AccessCodeRow } from '../../api/features/access-gate/collections.ts';
import { wordsOf } from '../../api/platform/admin/search.ts';
import type { BookingRow, ListingRow } from '../../api/features/ads/collections.ts';
import type { AdPaymentRow, AdvertiserRow } from '../../api/features/advertisers/collections.ts';
import type { CharityRow } from '../../api/features/charities/collections.ts';
import type { LocationRow } from '../../api/features/locations/collections.ts';
import type { DonationRow } from '../../api/features/payments/collections.ts';
import type { AuditRow } from '../../api/platform/admin/collections.ts';

const START = Date.UTC(2026, 0, 1);
/** The time of a row: one a second. */
export const timeOf = (index: number) => new Date(START + index * 1000);
export const idOf = (index: number) => `row-${String(index).padStart(8, '0')}`;
export const codeOf = (index: number) => `CODE-${String(index).padStart(8, '0')}`;
const TOWNS = ['Austin', 'Boston', 'Chicago', 'Denver', 'El Paso'];
const townOf = (index: number) => TOWNS[index % TOWNS.length] ?? '';
const pointOf = (index: number): LocationRow['point'] => ({
  type: 'Point',
  coordinates: [(index % 3600) / 10 - 180, (index % 1400) / 10 - 70],
});

/** The rows of each list, by their number: as much like those of the product as the lists look at. */

export const accessCode = (index: number): AccessCodeRow => {
  const description = `for the club of ${townOf(index)}`;
  return {
    _id: idOf(index),
    code: codeOf(index),
    description,
    max_uses: 10,
    current_uses: index % 10,
    is_active: index % 10 !== 0,
    expires_at: null,
    created_at: timeOf(index),
    source: index % 100 === 0 ? 'admin' : 'donation',
    words: wordsOf(codeOf(index), description),
  };
};

const STATUSES = ['completed', 'completed', 'completed', 'failed', 'pending'] as const;
/** The common fields of donations and payments for ads. */
const payment = (index: number) => ({
  _id: idOf(index),
  currency: 'USD' as const,
  payment_provider: 'stripe' as const,
  payment_status: STATUSES[index % STATUSES.length] ?? 'completed',
  failure: null,
  submitted_at: timeOf(index),
  busy_until: null,
  is_settled: true,
  ip_address: '',
  user_agent: '',
  created_at: timeOf(index),
  updated_at: timeOf(index),
});

export const donation = (index: number): DonationRow => ({
  ...payment(index),
  holder: '',
  user_id: null,
  email: `owner${index}@example.com`,
  amount_cents: 100 + (index % 50),
  payment_id: `pi_${index}`,
  access_code_granted: codeOf(index),
});

export const charity = (index: number): CharityRow => {
  const charity_name = `Shelter ${index} of ${townOf(index)}`;
  return {
    _id: idOf(index),
    charity_name,
    name_key: charity_name.toLowerCase(),
    words: wordsOf(charity_name),
    member_words: wordsOf(charity_name),
    description: 'Looks after dogs that nobody walks.',
    contact_name: null,
    contact_email: null,
    phone: null,
    website_url: null,
    tax_id: null,
    address: null,
    city: townOf(index),
    state: null,
    zip_code: null,
    payment_link: 'https://give.example/',
    logo_key: null,
    source: 'application',
    suggested_by_user_id: null,
    is_verified: index % 10 !== 0,
    is_active: true,
    donation_count: index % 7,
    total_donated_cents: 0,
    counted: [],
    created_at: timeOf(index),
  };
};

export const advertiser = (index: number): AdvertiserRow => {
  const company_name = `Groomer ${String(index).padStart(8, '0')} of ${townOf(index)}`;
  return {
    _id: idOf(index),
    holder: `holder ${index}`,
    email: `shop${index}@example.com`,
    company_name,
    contact_name: 'Kim Park',
    phone: null,
    billing_address: null,
    words: wordsOf(company_name),
    time_zone: 'UTC',
    created_at: timeOf(index),
    updated_at: timeOf(index),
  };
};

export const adPayment = (index: number): AdPaymentRow => ({
  ...payment(index),
  advertiser_id: idOf(index),
  advertisement_id: index,
  period: 0,
  attempt: 1,
  email: null,
  amount_cents: 20_000,
  payment_id: `pi_ad_${index}`,
  paid_at: timeOf(index),
});

/** One in a hundred each was cancelled, paid back, taken down; one in a thousand is still to come, or was never paid. */
export const timedAd = (index: number): BookingRow => {
  const start = index % 1_000 === 500 ? new Date(Date.now() + (1 + index) * 1_000) : timeOf(index);
  return {
    _id: index + 1,
    advertiser_id: idOf(index),
    title: `Fresh bones ${index}`,
    description: 'Around the corner.',
    image_key: null,
    image_filename: null,
    target_url: 'https://shop.example/',
    placement: 'banner',
    scheduled_start_at: start,
    scheduled_end_at: new Date(start.getTime() + 4 * 3_600_000),
    duration_hours: 4,
    cost_cents: 20_000,
    payment_status: index % 100 === 1 ? 'refunded' : index % 1_000 === 700 ? 'failed' : 'completed',
    cancelled_at: index % 100 === 2 ? timeOf(index) : null,
    ...(index % 100 === 3 && {
      taken_down_at: timeOf(index),
      taken_down_reason: 'It shows bones.',
    }),
    created_at: timeOf(index),
    notified: ['live', 'finished'],
    impressions: 0,
    clicks: 0,
    counted_until: timeOf(index),
  };
};

const DAY_MS = 86_400_000;
/**
 * Nine in ten are over, those that run are the newest of each thousand. One in a hundred was paused, one in a hundred paid back; one in a
 * thousand was taken down, and one was never paid.
 */
export const listing = (index: number): ListingRow => {
  const isOn = index % 1_000 >= 900;
  const end = isOn ? new Date(Date.now() + 30 * DAY_MS) : timeOf(index);
  const payment_status =
    index % 100 === 1 ? 'refunded' : index % 1_000 === 702 ? 'pending' : 'completed';
  return {
    _id: idOf(index),
    advertiser_id: idOf(index),
    business_name: `Groomer ${index}`,
    business_type: 'grooming',
    description: 'Around the corner.',
    place: pointOf(index),
    address: null,
    phone: null,
    website_url: 'https://shop.example/',
    image_key: null,
    image_filename: null,
    search_radius_miles: 5,
    monthly_cost_cents: 10_000,
    payment_status,
    subscription_start_date: new Date(end.getTime() - 30 * DAY_MS),
    subscription_end_date: end,
    paused_at: index % 100 === 2 ? timeOf(index) : null,
    ...(index % 1_000 === 903 && {
      taken_down_at: timeOf(index),
      taken_down_reason: 'It shows bones.',
    }),
    paid: [`${idOf(index)}.0.1`],
    refunded_payments: payment_status === 'refunded' ? [`${idOf(index)}.0.1`] : [],
    created_at: timeOf(index),
    notified: ['ended 1'],
    impressions: 0,
    clicks: 0,
    counted_until: timeOf(index),
  };
};

export const place = (index: number): LocationRow => {
  const name = `Green ${index} of ${townOf(index)}`;
  return {
    _id: idOf(index),
    creator_user_id: null,
    name,
    words: wordsOf(name),
    description: 'Grass, shade and a fence.',
    address: '',
    point: pointOf(index),
    location_type: 'park',
    leash_required: false,
    parking_available: true,
    water_available: true,
    restrooms_available: false,
    is_public: true,
    is_active: index % 10 !== 0,
    merged_into: null,
    created_at: timeOf(index),
    updated_at: timeOf(index),
    changed_at: timeOf(index),
    changes: 0,
    tips_turn: 0,
    is_checked: true,
    visit_count: index % 50,
    rating_sum: 0,
    rating_count: 0,
    tip_count: 0,
    tips: [],
    open_reports: index % 100 === 0 ? 1 : 0,
  };
};

export const audited = (index: number): AuditRow => ({
  _id: idOf(index),
  at: timeOf(index),
  admin_user_id: `admin-${index % 5}`,
  act: 'access-code.update',
  subject_kind: index % 10 === 0 ? 'advertisement' : 'access-code',
  subject_id: idOf(index),
  before: { is_active: true },
  after: { is_active: false },
  reason: null,
  voids: null,
});
