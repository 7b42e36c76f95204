import type { IndexDescription } from 'mongodb';
import { chatIndexes } from './chat/collections.ts';
import { moderationIndexes } from './moderation/collections.ts';

/** The indexes of every collection, made when the api starts. */
export const INDEXES: Record<string, IndexDescription[]> = {
  users: [
    { key: { identity: 1 }, unique: true },
    { key: { deleted_at: 1 }, sparse: true },
    { key: { is_admin: 1 }, partialFilterExpression: { is_admin: true } },
  ],
  sessions: [{ key: { user_id: 1 } }, { key: { expires_at: 1 } }],
  // A dog is looked up by its own id.
  cards: [{ key: { 'dogs.id': 1 } }, { key: { name_words: 1 } }],
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
  ...chatIndexes,
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
