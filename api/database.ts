import {
  MongoClient,
  MongoServerError,
  type Collection,
  type Db,
  type IndexDescription,
} from 'mongodb';
import { durable } from '#shared/durable.ts';
import { LOOKOUT } from '#shared/keep-connected.ts';
import type { CardRow, MessageRow, SessionRow, SignalRow, UserRow } from '#shared/rows.ts';
import type { AuditLog } from './admin/audit.ts';
import type { AccessCodeRow, AccessCodeUseRow, AccessGrantRow } from './access-gate/rows.ts';
import type {
  AdvertisementRow,
  BookingRow,
  ClickRow,
  CounterRow,
  CountingRow,
  DayRow,
  ImpressionRow,
  ListingRow,
} from './ads/rows.ts';
import type { AcquaintanceRow } from './friendly-index/acquaintances.ts';
import type { CharityDonationRow, CharityLetterRow, CharityRow } from './charities/rows.ts';
import type { PairRow } from './friends/pair.ts';
import type { AcknowledgementRow, EmergencyAlertRow, NwsCellRow } from './alerts/rows.ts';
import type { IdempotencyRow } from './idempotency.ts';
import type { LocationReportRow, LocationRow, TipRow, VisitRow } from './locations/rows.ts';
import type { SearchInvitationRow } from './invitations/rows.ts';
import type { OptOutRow, OutboxRow } from './outbox/messages.ts';
import type { StandInSentRow } from './outbox/stand-in.ts';
import type { ReferralRow } from './referrals/rows.ts';
import type { DonationRow, PaymentEventRow, PaymentTokenRow } from './payments/rows.ts';
import type { StandInPaymentRow } from './payments/stand-in/gateway.ts';
import {
  moderationCollections,
  moderationIndexes,
  type ModerationCollections,
} from './moderation/collections.ts';
import type { StandInCodeRow } from './session/stand-in-codes.ts';
import type { WeatherReadingRow } from './weather/rows.ts';

/** The collections of the api's frame; a feature with more of its own makes them from `db`. */
export interface Database extends ModerationCollections {
  client: MongoClient;
  db: Db;
  users: Collection<UserRow>;
  sessions: Collection<SessionRow>;
  cards: Collection<CardRow>;
  messages: Collection<MessageRow>;
  signals: Collection<SignalRow>;
  auditLog: AuditLog;
  accessCodes: Collection<AccessCodeRow>;
  accessCodeUses: Collection<AccessCodeUseRow>;
  accessGrants: Collection<AccessGrantRow>;
  advertisements: Collection<AdvertisementRow>;
  advertisementBookings: Collection<BookingRow>;
  businessListings: Collection<ListingRow>;
  adImpressions: Collection<ImpressionRow>;
  adClicks: Collection<ClickRow>;
  adCounting: Collection<CountingRow>;
  adDays: Collection<DayRow>;
  counters: Collection<CounterRow>;
  pairs: Collection<PairRow>;
  acquaintances: Collection<AcquaintanceRow>;
  emergencyAlerts: Collection<EmergencyAlertRow>;
  acknowledgements: Collection<AcknowledgementRow>;
  nwsCells: Collection<NwsCellRow>;
  weatherReadings: Collection<WeatherReadingRow>;
  locations: Collection<LocationRow>;
  locationTips: Collection<TipRow>;
  locationVisits: Collection<VisitRow>;
  locationReports: Collection<LocationReportRow>;
  idempotencyKeys: Collection<IdempotencyRow>;
  standInCodes: Collection<StandInCodeRow>;
  outbox: Collection<OutboxRow>;
  optOuts: Collection<OptOutRow>;
  standInSent: Collection<StandInSentRow>;
  referrals: Collection<ReferralRow>;
  charities: Collection<CharityRow>;
  charityDonations: Collection<CharityDonationRow>;
  charityLetters: Collection<CharityLetterRow>;
  searchInvitations: Collection<SearchInvitationRow>;
  donations: Collection<DonationRow>;
  paymentTokens: Collection<PaymentTokenRow>;
  paymentEvents: Collection<PaymentEventRow>;
  standInPayments: Collection<StandInPaymentRow>;
}

const SIGNALS_BYTES = 1024 * 1024;

const indexes: Record<string, IndexDescription[]> = {
  users: [
    { key: { identity: 1 }, unique: true },
    { key: { deleted_at: 1 }, sparse: true },
    { key: { is_admin: 1 }, partialFilterExpression: { is_admin: true } },
  ],
  sessions: [{ key: { user_id: 1 } }, { key: { expires_at: 1 } }],
  // A dog is looked up by its own id.
  cards: [{ key: { 'dogs.id': 1 } }, { key: { name_words: 1 } }],
  messages: [
    { key: { thread_id: 1, seq: -1 } },
    { key: { created_at: -1 } },
    { key: { is_checked: 1, created_at: 1 }, partialFilterExpression: { is_checked: false } },
  ],
  audit_log: [
    { key: { at: -1, _id: -1 } },
    { key: { act: 1, at: -1, _id: -1 } },
    { key: { admin_user_id: 1, at: -1, _id: -1 } },
    { key: { subject_kind: 1, at: -1, _id: -1 } },
    { key: { subject_id: 1, at: -1, _id: -1 } },
  ],
  access_codes: [
    { key: { code: 1 }, unique: true },
    { key: { words: 1 } },
    { key: { created_at: -1, _id: -1 } },
    { key: { code: 1, _id: 1 } },
    { key: { current_uses: -1, _id: -1 } },
    { key: { is_active: 1, created_at: -1, _id: -1 } },
    { key: { source: 1, created_at: -1, _id: -1 } },
    { key: { is_active: 1, expires_at: 1 } },
  ],
  access_code_uses: [{ key: { access_code_id: 1, used_at: -1 } }],
  access_grants: [{ key: { expires_at: 1 } }],
  advertisements: [{ key: { placement: 1, active: 1, priority: -1 } }],
  advertisement_bookings: [
    { key: { placement: 1, payment_status: 1, scheduled_end_at: 1 } },
    { key: { advertiser_id: 1 } },
    { key: { request: 1 }, unique: true, partialFilterExpression: { request: { $exists: true } } },
    { key: { image_key: 1 }, sparse: true },
  ],
  business_listings: [
    { key: { place: '2dsphere', payment_status: 1, subscription_end_date: 1 } },
    { key: { payment_status: 1, subscription_end_date: 1 } },
    { key: { advertiser_id: 1 } },
    { key: { image_key: 1 }, sparse: true },
  ],
  ad_impressions: [{ key: { at: 1 } }, { key: { who: 1, at: -1 } }],
  ad_clicks: [
    { key: { clicked_at: -1 } },
    { key: { who: 1, clicked_at: -1 } },
    { key: { user_id: 1, clicked_at: -1 } },
    { key: { once: 1 }, unique: true, partialFilterExpression: { once: { $exists: true } } },
  ],
  pairs: [
    { key: { users: 1, standing: 1 } },
    { key: { 'request.id': 1 }, partialFilterExpression: { 'request.id': { $exists: true } } },
    { key: { is_projected: 1 }, partialFilterExpression: { is_projected: false } },
  ],
  acquaintances: [{ key: { users: 1, last_day: -1 } }, { key: { last_day: 1 } }],
  ...moderationIndexes,
  emergency_alerts: [
    { key: { alert_ids: 1 }, unique: true },
    { key: { cells: 1 } },
    { key: { source: 1, affected_latitude: 1 } },
    { key: { created_at: -1 } },
    { key: { is_told: 1 }, partialFilterExpression: { is_told: false } },
  ],
  emergency_alert_acknowledgements: [{ key: { user_id: 1 } }, { key: { alert_id: 1 } }],
  weather_readings: [{ key: { kept_until: 1 } }],
  locations: [
    { key: { point: '2dsphere', location_type: 1 } },
    { key: { creator_user_id: 1 } },
    {
      key: { is_checked: 1, changed_at: 1 },
      partialFilterExpression: { is_checked: false },
    },
  ],
  location_tips: [
    { key: { location_id: 1, is_public: 1, is_active: 1, is_helpful_count: -1, created_at: -1 } },
    { key: { creator_user_id: 1 } },
    { key: { helpful_user_ids: 1 } },
  ],
  location_visits: [
    { key: { location_id: 1, user_id: 1, day: 1 }, unique: true },
    { key: { user_id: 1 } },
  ],
  location_reports: [
    { key: { status: 1, created_at: 1 } },
    { key: { subject_id: 1 } },
    { key: { location_id: 1 } },
    { key: { reporter_user_id: 1 } },
  ],
  idempotency_keys: [{ key: { at: 1 } }],
  rate_limits: [
    { key: { key: 1 }, unique: true },
    { key: { expire: -1 }, expireAfterSeconds: 0 },
  ],
  stand_in_codes: [{ key: { expires_at: 1 } }],
  outbox: [{ key: { status: 1, due_at: 1 } }, { key: { settled_at: 1 } }],
  stand_in_sent: [{ key: { at: 1 } }],
  referrals: [
    { key: { referrer_user_id: 1, sent_at: -1 } },
    // One access is one success.
    { key: { use_id: 1 }, unique: true, partialFilterExpression: { use_id: { $type: 'string' } } },
    { key: { recipient_email: 1 } },
    { key: { 'post.at': 1 }, sparse: true },
  ],
  charities: [
    ...(['name_key', 'donation_count', 'created_at'] as const).flatMap((field) => [
      { key: { is_verified: 1, is_active: 1, [field]: 1, _id: 1 } },
      { key: { [field]: 1, _id: 1 } },
    ]),
    { key: { is_verified: 1, created_at: 1, _id: 1 } },
    { key: { is_active: 1, created_at: 1, _id: 1 } },
    { key: { source: 1, created_at: 1, _id: 1 } },
    { key: { words: 1 } },
    { key: { contact_email: 1 } },
    { key: { logo_key: 1 }, partialFilterExpression: { logo_key: { $type: 'string' } } },
    {
      key: { suggested_by_user_id: 1 },
      partialFilterExpression: { suggested_by_user_id: { $type: 'string' } },
    },
    {
      key: { total_donated_cents: 1 },
      partialFilterExpression: { total_donated_cents: { $gt: 0 } },
    },
    { key: { is_approval_told: 1 }, partialFilterExpression: { is_approval_told: false } },
  ],
  charity_donations: [
    { key: { charity_id: 1 } },
    { key: { created_at: 1 } },
    { key: { user_id: 1 } },
    { key: { is_counted: 1 }, partialFilterExpression: { is_counted: false } },
  ],
  charity_letters: [{ key: { charity_id: 1 } }, { key: { 'post.at': 1 }, sparse: true }],
  search_invitations: [
    { key: { code: 1 }, unique: true },
    { key: { inviter_user_id: 1, created_at: -1 } },
    { key: { invited_email: 1 } },
    { key: { used_by_user_id: 1 } },
    { key: { expires_at: 1 } },
    { key: { 'post.at': 1 }, sparse: true },
  ],
  donations: [
    {
      key: { payment_id: 1 },
      unique: true,
      partialFilterExpression: { payment_id: { $type: 'string' } },
    },
    { key: { is_settled: 1, created_at: 1 } },
    { key: { payment_status: 1, updated_at: -1 } },
    { key: { user_id: 1 } },
    { key: { holder: 1 } },
    { key: { created_at: -1 } },
  ],
  payment_events: [{ key: { at: 1 } }],
  stand_in_payments: [{ key: { key: 1 }, unique: true }],
};

/**
 * Connects, and brings collections and indexes into being.
 * @throws when MongoDB does not answer within five seconds
 */
export async function openDatabase(uri: string, name: string): Promise<Database> {
  const client = new MongoClient(uri, {
    serverSelectionTimeoutMS: 5_000,
    ...LOOKOUT,
    ignoreUndefined: true,
  });
  try {
    await client.connect();
    const db = client.db(name, { writeConcern: await durable(client) });
    await ensureSignals(db);
    await Promise.all(
      Object.entries(indexes).map(([collection, wanted]) =>
        db.collection(collection).createIndexes(wanted),
      ),
    );
    return {
      client,
      db,
      users: db.collection('users'),
      sessions: db.collection('sessions'),
      cards: db.collection('cards'),
      messages: db.collection('messages'),
      signals: db.collection('signals'),
      auditLog: db.collection('audit_log'),
      accessCodes: db.collection('access_codes'),
      accessCodeUses: db.collection('access_code_uses'),
      accessGrants: db.collection('access_grants'),
      advertisements: db.collection('advertisements'),
      advertisementBookings: db.collection('advertisement_bookings'),
      businessListings: db.collection('business_listings'),
      adImpressions: db.collection('ad_impressions'),
      adClicks: db.collection('ad_clicks'),
      adCounting: db.collection('ad_counting'),
      adDays: db.collection('ad_days'),
      counters: db.collection('counters'),
      pairs: db.collection('pairs'),
      acquaintances: db.collection('acquaintances'),
      emergencyAlerts: db.collection('emergency_alerts'),
      acknowledgements: db.collection('emergency_alert_acknowledgements'),
      nwsCells: db.collection('nws_cells'),
      weatherReadings: db.collection('weather_readings'),
      locations: db.collection('locations'),
      locationTips: db.collection('location_tips'),
      locationVisits: db.collection('location_visits'),
      locationReports: db.collection('location_reports'),
      idempotencyKeys: db.collection('idempotency_keys'),
      standInCodes: db.collection('stand_in_codes'),
      outbox: db.collection('outbox'),
      optOuts: db.collection('opt_outs'),
      standInSent: db.collection('stand_in_sent'),
      referrals: db.collection('referrals'),
      charities: db.collection('charities'),
      charityDonations: db.collection('charity_donations'),
      charityLetters: db.collection('charity_letters'),
      searchInvitations: db.collection('search_invitations'),
      donations: db.collection('donations'),
      paymentTokens: db.collection('payment_tokens'),
      paymentEvents: db.collection('payment_events'),
      standInPayments: db.collection('stand_in_payments'),
      ...moderationCollections(db),
    };
  } catch (error) {
    await client.close();
    throw error;
  }
}

/** Both servers make it: whoever comes first. */
async function ensureSignals(db: Db): Promise<void> {
  const NAMESPACE_EXISTS = 48;
  try {
    await db.createCollection('signals', { capped: true, size: SIGNALS_BYTES });
  } catch (error) {
    if (!(error instanceof MongoServerError && error.code === NAMESPACE_EXISTS)) throw error;
  }
}

/** A unique index refused the write. */
export const isDuplicate = (error: unknown): boolean =>
  error instanceof MongoServerError && error.code === 11_000;
