import { MongoClient, MongoServerError, type Collection, type Db } from 'mongodb';
import { durable } from '#shared/write-concern.ts';
import { LOOKOUT } from '#shared/mongodb-watchdog.ts';
import type { CardRow, SessionRow, SignalRow, UserRow } from '#shared/collections.ts';
import { ensureSignals } from '#shared/signals.ts';
import type { AuditLog } from './admin/audit.ts';
import type { AccessCodeRow, AccessCodeUseRow, AccessGrantRow } from './access-gate/collections.ts';
import type {
  AdvertisementRow,
  BookingRow,
  ClickRow,
  CounterRow,
  CountingRow,
  DayRow,
  ImpressionRow,
  ListingRow,
} from './ads/collections.ts';
import type {
  AdPaymentRow,
  AdvertiserLetterRow,
  AdvertiserRow,
  DeskRow,
  SlotsRow,
} from './advertisers/collections.ts';
import type { AcquaintanceRow } from './friendly-index/acquaintances.ts';
import type { CharityDonationRow, CharityLetterRow, CharityRow } from './charities/collections.ts';
import { chatCollections, type ChatCollections } from './chat/collections.ts';
import type { PairRow } from './friends/relationship.ts';
import type { AcknowledgementRow, EmergencyAlertRow, NwsCellRow } from './alerts/collections.ts';
import type { IdempotencyRow } from './http/idempotency.ts';
import { INDEXES } from './indexes.ts';
import type {
  ClaimRow,
  LocationReportRow,
  LocationRow,
  TipRow,
  VisitRow,
} from './locations/collections.ts';
import type { SearchInvitationRow } from './invitations/collections.ts';
import { moderationCollections, type ModerationCollections } from './moderation/collections.ts';
import type { OptOutRow, OutboxRow } from './outbox/messages.ts';
import type { StandInSentRow } from './outbox/sandbox.ts';
import type { ReferralRow } from './referrals/collections.ts';
import type { DonationRow, PaymentEventRow, PaymentTokenRow } from './payments/collections.ts';
import type { StandInPaymentRow } from './payments/sandbox/gateway.ts';
import type { StandInCodeRow } from './session/sandbox-codes.ts';
import type { WeatherReadingRow } from './weather/collections.ts';

/** The collections of the api; chat and moderation declare their own, and the proximity engine the meetings that it keeps. */
export interface Database extends ChatCollections, ModerationCollections {
  client: MongoClient;
  db: Db;
  users: Collection<UserRow>;
  sessions: Collection<SessionRow>;
  cards: Collection<CardRow>;
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
  adSlots: Collection<SlotsRow>;
  adPayments: Collection<AdPaymentRow>;
  advertisers: Collection<AdvertiserRow>;
  advertiserDesks: Collection<DeskRow>;
  advertiserLetters: Collection<AdvertiserLetterRow>;
  counters: Collection<CounterRow>;
  pairs: Collection<PairRow>;
  acquaintances: Collection<AcquaintanceRow>;
  emergencyAlerts: Collection<EmergencyAlertRow>;
  acknowledgements: Collection<AcknowledgementRow>;
  nwsCells: Collection<NwsCellRow>;
  weatherReadings: Collection<WeatherReadingRow>;
  locations: Collection<LocationRow>;
  locationClaims: Collection<ClaimRow>;
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
      Object.entries(INDEXES).map(([collection, wanted]) =>
        db.collection(collection).createIndexes(wanted),
      ),
    );
    return {
      client,
      db,
      users: db.collection('users'),
      sessions: db.collection('sessions'),
      cards: db.collection('cards'),
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
      adSlots: db.collection('ad_slots'),
      adPayments: db.collection('ad_payments'),
      advertisers: db.collection('advertisers'),
      advertiserDesks: db.collection('advertiser_desks'),
      advertiserLetters: db.collection('advertiser_letters'),
      counters: db.collection('counters'),
      pairs: db.collection('pairs'),
      acquaintances: db.collection('acquaintances'),
      emergencyAlerts: db.collection('emergency_alerts'),
      acknowledgements: db.collection('emergency_alert_acknowledgements'),
      nwsCells: db.collection('nws_cells'),
      weatherReadings: db.collection('weather_readings'),
      locations: db.collection('locations'),
      locationClaims: db.collection('location_claims'),
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
      ...chatCollections(db),
      ...moderationCollections(db),
    };
  } catch (error) {
    await client.close();
    throw error;
  }
}

/** A unique index refused the write. */
export const isDuplicate = (error: unknown): boolean =>
  error instanceof MongoServerError && error.code === 11_000;
