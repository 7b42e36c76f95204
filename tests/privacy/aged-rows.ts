import { dayOf } from '#shared/friendly-index/scores.ts';
import { DAY_MS } from '#shared/time.ts';

type Fields = Record<string, unknown>;

/** How a row of a collection ages. Each is inserted twice: a little older than it may become, and a little younger. */
export interface Aging {
  collection: string;
  /** As the table has it. */
  term: string;
  ms: number;
  /** @param at when it was, or of rows that state an end, when they end @param id its own */
  row: (at: Date, id: string) => Fields;
  /** Of what is due: fields that are cleared; undefined where the row is deleted. */
  cleared?: Fields;
}

const days = (count: number) => ({ term: `${count} days`, ms: count * DAY_MS });
const now = 0;
const atOnce = (term: string) => ({ term, ms: now });

/** A payment with the fields that background jobs read, in a final status. */
const payment = (at: Date, id: string): Fields => ({
  holder: `holder of ${id}`,
  email: 'payer@example.com',
  user_id: `user of ${id}`,
  amount_cents: 100,
  payment_provider: 'elsewhere',
  payment_id: id,
  payment_status: 'completed',
  is_settled: true,
  submitted_at: at,
  ip_address: '192.0.2.1',
  user_agent: 'a browser',
  created_at: at,
  updated_at: at,
});
const noAddress = { ip_address: '', user_agent: '' };
const referral = (at: Date, more: Fields) => ({
  referrer_user_id: 'somebody',
  recipient_email: null,
  recipient_phone: null,
  message: 'Come!',
  sent_at: at,
  accessed_at: null,
  ...more,
});
const noRecipient = { recipient_email: null, recipient_phone: null, message: null };
const invitation = (id: string, more: Fields) => ({
  inviter_user_id: 'somebody',
  invited_email: 'invited@example.com',
  code: id,
  used_at: null,
  used_by_user_id: null,
  expires_at: new Date(Date.now() + 400 * DAY_MS),
  created_at: new Date(),
  ...more,
});
const advertiser = (at: Date, id: string): Fields => ({
  holder: `holder of ${id}`,
  email: `${id}@example.com`,
  company_name: 'Kibble & Co',
  contact_name: 'Kim',
  phone: '+1',
  billing_address: 'Main Street',
  words: ['kim'],
  created_at: at,
  updated_at: at,
});

/** In the order of the table in docs/privacy.md, without collections that no background job handles. */
export const AGING: Aging[] = [
  {
    collection: 'sessions',
    ...days(1),
    term: '1 day',
    row: (at, id) => ({ user_id: `user of ${id}`, expires_at: at, revoked_at: null }),
  },
  {
    collection: 'stranger_sightings',
    term: '2 hours',
    ms: 2 * 3_600_000,
    row: (at, id) => ({ user_id: `user of ${id}`, strangers: ['a hash'], at }),
  },
  {
    collection: 'proximity_events',
    ...days(30),
    row: (at, id) => ({
      sender_user_id: `one of ${id}`,
      receiver_user_id: `other of ${id}`,
      distance_feet: 80,
      triggered_at: at,
      pair_windows: [`window of ${id}`],
    }),
  },
  {
    collection: 'acquaintances',
    ...days(365),
    row: (at, id) => ({ users: [id, 'z'], days: [], last_day: dayOf(at) }),
  },
  {
    collection: 'location_visits',
    ...days(30),
    row: (at, id) => ({
      location_id: id,
      user_id: 'somebody',
      day: '2026-01-01',
      visit_date: at,
      latitude: 1.5,
      longitude: 2.5,
    }),
    cleared: { latitude: null, longitude: null },
  },
  {
    collection: 'town_walkers',
    term: '21 days',
    // The row states its end.
    ms: now,
    row: (at) => ({ town: 'x', week: 1, expires_at: at }),
  },
  {
    collection: 'location_claims',
    term: '10 seconds',
    ms: 10_000,
    row: (at) => ({
      name: 'Green',
      point: { type: 'Point', coordinates: [8.5, 47.1] },
      creator_user_id: 'somebody',
      is_public: true,
      at,
    }),
  },
  {
    collection: 'location_reports',
    ...days(180),
    row: (at) => ({ kind: 'location', subject_id: 'x', location_id: 'x', resolved_at: at }),
  },
  {
    collection: 'hazards',
    ...days(7),
    row: (at, id) => ({
      creator_user_id: `user of ${id}`,
      kind: 'glass',
      description: '',
      point: { type: 'Point', coordinates: [0, 0] },
      reported_at: at,
      // The period begins when it expires.
      expires_at: at,
      confirmed_user_ids: [],
      denied_user_ids: [],
      reported_user_ids: [],
      is_hidden: false,
    }),
  },
  {
    collection: 'planned_walks',
    ...days(3),
    row: (at, id) => ({
      organizer_user_id: `user of ${id}`,
      starts_at: at,
      place_name: 'Green',
      location_id: null,
      place: null,
      note: '',
      participants: [],
      canceled_at: null,
      created_at: at,
      changed_at: at,
    }),
  },
  {
    collection: 'message_reports',
    ...days(730),
    row: (at) => ({ status: 'resolved', is_carried_out: true, resolved_at: at, created_at: at }),
  },
  {
    collection: 'report_evidence',
    ...atOnce('with its report'),
    ms: DAY_MS,
    row: (at) => ({ messages: [], copied_at: at }),
  },
  {
    collection: 'deletions',
    ...days(90),
    row: (at) => ({ at }),
  },
  {
    collection: 'removed_message_hashes',
    ...atOnce('until the day in the row'),
    row: (at) => ({ created_at: new Date(), expires_at: at }),
  },
  {
    collection: 'moderation_log',
    ...days(180),
    row: (at) => ({ user_id: 'somebody', created_at: at }),
  },
  {
    collection: 'user_warnings',
    ...days(730),
    row: (at) => ({ user_id: 'somebody', created_at: at, expires_at: at, due_at: null }),
  },
  {
    collection: 'bans',
    ...atOnce('until the suspension ends'),
    row: (at) => ({ until: at, reason: 'x' }),
  },
  {
    collection: 'audit_log',
    ...days(730),
    row: (at) => ({ at, admin_user_id: 'an admin', act: 'x.y' }),
  },
  {
    collection: 'access_code_uses',
    ...days(90),
    row: (at) => ({ access_code_id: 'x', user_id: null, ip_address: '192.0.2.1', used_at: at }),
    cleared: { ip_address: '' },
  },
  {
    collection: 'access_codes',
    ...days(35),
    row: (at, id) => ({ code: `AGED-${id}`, inviter_user_id: 'somebody', expires_at: at }),
  },
  {
    collection: 'access_emails',
    ...days(60),
    row: (at) => ({ user_id: 'somebody', at }),
  },
  {
    collection: 'access_grants',
    ...atOnce('until they expire'),
    row: (at) => ({ use_id: 'x', access_code_id: 'x', expires_at: at, user_id: null }),
  },
  { collection: 'donations', ...days(90), row: payment, cleared: noAddress },
  {
    collection: 'donations',
    ...days(90),
    row: (at, id) => ({ ...payment(at, id), payment_status: 'failed' }),
  },
  {
    collection: 'donations',
    ...days(2555),
    row: (at, id) => ({ ...payment(at, id), ...noAddress }),
    cleared: { user_id: null, email: null, holder: '', amount_cents: 100 },
  },
  { collection: 'payment_tokens', ...days(90), row: (at) => ({ payment: 'x', at }) },
  { collection: 'payment_events', ...days(60), row: (at) => ({ at }) },
  {
    collection: 'charities',
    ...days(365),
    row: (at, id) => ({
      charity_name: id,
      contact_name: 'Chris',
      contact_email: 'chris@example.com',
      phone: '+1',
      is_verified: false,
      created_at: at,
    }),
    cleared: { contact_name: null, contact_email: null, phone: null },
  },
  {
    collection: 'charity_donations',
    ...days(730),
    row: (at) => ({ charity_id: 'x', user_id: 'somebody', created_at: at, is_counted: true }),
    cleared: { user_id: null },
  },
  { collection: 'advertisers', ...days(30), row: advertiser },
  {
    collection: 'advertiser_emails',
    ...days(730),
    row: (at) => ({ advertiser_id: 'x', at }),
  },
  {
    collection: 'advertisement_bookings',
    ...days(30),
    row: (at) => ({ advertiser_id: 'x', payment_status: 'pending', created_at: at }),
  },
  {
    collection: 'business_listings',
    ...days(30),
    row: (at) => ({ advertiser_id: 'x', payment_status: 'failed', created_at: at }),
  },
  {
    collection: 'ad_payments',
    ...days(90),
    row: (at, id) => ({ ...payment(at, id), advertisement_id: id, period: 0, attempt: 1 }),
    cleared: noAddress,
  },
  {
    collection: 'ad_impressions',
    ...days(30),
    row: (at) => ({ ad_id: 'x', who: 'a hash', at, doubt: null }),
  },
  {
    collection: 'ad_clicks',
    ...days(30),
    row: (at, id) => ({
      ad_id: 'x',
      user_id: 'somebody',
      who: 'a hash',
      clicked_at: at,
      doubt: null,
      once: id,
    }),
    cleared: { user_id: null, who: '' },
  },
  {
    collection: 'ad_clicks',
    ...days(30),
    row: (at) => ({ ad_id: 'x', user_id: 'somebody', who: 'h', clicked_at: at, doubt: 'mismatch' }),
  },
  {
    collection: 'referrals',
    ...days(90),
    row: (at) => referral(at, { recipient_email: 'invited@example.com' }),
    cleared: noRecipient,
  },
  {
    collection: 'referrals',
    ...days(90),
    row: (at) => referral(at, { recipient_phone: '+15550100' }),
    cleared: noRecipient,
  },
  {
    collection: 'search_invitations',
    ...days(90),
    row: (at, id) => invitation(id, { created_at: at }),
    cleared: { invited_email: null },
  },
  {
    collection: 'search_invitations',
    ...days(90),
    row: (at, id) => invitation(id, { expires_at: at, invited_email: null }),
  },
  {
    collection: 'outbox',
    ...days(60),
    row: (at) => ({ channel: 'email', status: 'sent', settled_at: at, created_at: at }),
  },
  {
    collection: 'push_subscriptions',
    ...days(1),
    term: '1 day',
    row: (at, id) => ({ user_id: `user of ${id}`, check_at: new Date(at.getTime() + DAY_MS) }),
  },
  {
    collection: 'push_queue',
    ...days(7),
    row: (at) => ({ channel: 'push', status: 'sent', settled_at: at, created_at: at }),
  },
  {
    collection: 'activities',
    ...days(30),
    row: (at, id) => ({ user_id: `user of ${id}`, topic: 'access', subject: '', at }),
  },
  {
    collection: 'sandbox_sent',
    ...days(30),
    row: (at) => ({ message: { to: 'somebody@example.com' }, at }),
  },
  {
    collection: 'sandbox_sign_in_codes',
    ...atOnce('minutes'),
    row: (at) => ({ email: 'somebody@example.com', expires_at: at }),
  },
  {
    collection: 'emergency_alerts',
    ...days(1),
    term: '1 day',
    row: (at, id) => ({
      alert_id: id,
      alert_ids: [id],
      source: 'nws',
      is_active: true,
      is_notified: true,
      cells: [],
      starts_at: at,
      sent_at: at,
      expires_at: at,
    }),
  },
  {
    collection: 'nws_cells',
    ...days(1),
    term: '1 day',
    row: (at) => ({ expires_at: at }),
  },
  {
    collection: 'weather_readings',
    term: '60 minutes',
    // The row states its end.
    ms: now,
    row: (at) => ({ reading: null, failure: null, leased_until: at, expires_at: at }),
  },
  {
    collection: 'geocoder_results',
    term: '30 days',
    // The row states its end.
    ms: now,
    row: (at) => ({ found: [], expires_at: at }),
  },
  {
    collection: 'idempotency_keys',
    ...days(30),
    row: (at) => ({ request: 'x', answer: {}, done: true, at }),
  },
  {
    collection: 'rate_limits',
    ...atOnce("until the limit's window ends"),
    row: (at, id) => ({ key: id, points: 1, expire: at }),
  },
];

/** Collections whose deletion of old rows another test covers. */
export const SHOWN_ELSEWHERE: Record<string, string> = {
  users: 'tests/account/deletion.api.test.ts',
  positions: 'tests/proximity/location.api.test.ts',
  messages: 'tests/chat/messages.api.test.ts',
  threads: 'tests/chat/messages.api.test.ts',
  drafts: 'tests/chat/drafts/drafts.api.test.ts',
  pairs: 'tests/blocks/earlier-views.api.test.ts',
  'images.files': 'tests/files/images.api.test.ts',
  'images.chunks': 'tests/files/images.api.test.ts',
  advertiser_dashboards: 'tests/privacy/retention.api.test.ts',
  ad_days: 'tests/ads/events.api.test.ts',
  ad_view_hours: 'tests/advertisers/reach/reach.api.test.ts',
  emergency_alert_acknowledgements: 'tests/privacy/retention.api.test.ts',
  access_codes: 'tests/access-gate/uses.api.test.ts',
  charity_emails: 'tests/charities/charities.api.test.ts',
};
