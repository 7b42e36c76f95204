import type { Db, Document } from 'mongodb';
import { DAY_MS, HOUR_MS } from '#shared/time.ts';
import { cellOf } from '../../api/features/proximity/nodes/followed-cells.ts';
import { ISSUER as SANDBOX_ISSUER } from '../../api/platform/session/sandbox-codes.ts';

/** Enough rows that a query stands out if it reads rows that it doesn't need. */
export const BULK = 2_000;

/** A town whose people are spread over cells of about a kilometer, ten in each. */
export const placeOf = (index: number) => ({
  latitude: 40 + Math.floor(index / 10) * 0.01,
  longitude: -100,
});

/**
 * Rows of a busy installation, of which nothing is due: live sessions, sent messages, images in use, settled payments. They belong to
 * people `bulk <index>`.
 */
export async function insertBulkRows(db: Db): Promise<void> {
  const now = Date.now();
  const at = new Date(now - HOUR_MS);
  const later = new Date(now + 30 * DAY_MS);
  const insert = (name: string, row: (index: number, user: string) => Document) =>
    db.collection(name).insertMany(
      Array.from({ length: BULK }, (_, index) => ({
        _id: `bulk ${index}`,
        ...row(index, `bulk ${index}`),
      })) as never,
    );
  const other = (index: number) => `bulk ${(index + 1) % BULK}`;
  await insert('users', (index) => ({
    // Of the sandbox provider, which is the one that tests sign in with.
    identity: `${SANDBOX_ISSUER} bulk-${index}`,
    email: `bulk-${index}@example.com`,
    email_verified: true,
    is_admin: false,
    access_expires_at: later,
    created_at: at,
    documents_ready: true,
    documents: {
      card: `card ${index}`,
      account: `account ${index}`,
      contacts: `contacts ${index}`,
    },
  }));
  await insert('sessions', (_index, user_id) => ({
    user_id,
    created_at: at,
    last_used_at: at,
    expires_at: later,
    revoked_at: null,
    device: 'Chrome',
  }));
  await insert('cards', (index) => ({
    document_id: `card ${index}`,
    display_name: `Walker ${index}`,
    name_words: ['walker'],
    is_location_sharing_enabled: true,
    dogs: [
      { id: `dog ${index}`, name: 'Rex', sound_type: 'leash_on', image_key: `image ${index}` },
    ],
    is_checked: true,
  }));
  await insert('positions', (index) => ({
    location: { type: 'Point', coordinates: [placeOf(index).longitude, placeOf(index).latitude] },
    cell: cellOf(placeOf(index)),
    at: new Date(now),
    minute: Math.floor(now / 60_000),
  }));
  await insert('proximity_events', (index, user) => ({
    _id: `${at.getTime().toString(36)}-bulk-${index}`,
    sender_user_id: user,
    receiver_user_id: other(index),
    distance_feet: 50,
    triggered_at: at,
    pair_windows: [`bulk ${index}`],
  }));
  await insert('acquaintances', (index, user) => ({
    users: [user, other(index)].toSorted(),
    days: [Math.floor(now / DAY_MS)],
    first_came: [],
    second_came: [],
    last_day: Math.floor(now / DAY_MS),
  }));
  await insert('pairs', (index, user) => ({
    users: [user, other(index)].toSorted(),
    relationship: 'friends',
    version: 1,
    is_projected: true,
    views: {},
    were_friends: true,
  }));
  await insert('planned_walks', (index, organizer_user_id) => ({
    organizer_user_id,
    starts_at: later,
    place_name: 'Green',
    location_id: null,
    place: null,
    note: '',
    participants: [{ user_id: other(index), answer: null, answered_at: null }],
    canceled_at: null,
    created_at: at,
    changed_at: at,
    remind_at: later,
  }));
  await insert('threads', (index, user) => ({
    pair: `bulk pair ${index}`,
    users: [user, other(index)].toSorted(),
    state: 'open',
    is_live: true,
    is_settled: true,
    segments: [],
    changed_at: at,
  }));
  await insert('messages', (index, sender_user_id) => ({
    thread_id: `bulk ${index % 50}`,
    number: 1,
    document_id: `segment ${index}`,
    sender_user_id,
    receiver_user_id: other(index),
    text: 'Hello',
    seq: index,
    at: at.toISOString(),
    created_at: at,
    is_read: true,
    is_checked: true,
  }));
  await insert('outbox', () => ({
    channel: 'email',
    status: 'sent',
    attempts: 1,
    due_at: at,
    lease: null,
    created_at: at,
    settled_at: at,
  }));
  await insert('images.files', (index, owner_user_id) => ({
    filename: `image ${index}`,
    uploadDate: new Date(now - 30 * DAY_MS),
    length: 1,
    metadata: { owner_user_id, type: 'image/webp', check_at: new Date(now + HOUR_MS) },
  }));
  await insert('user_warnings', (_index, user_id) => ({
    user_id,
    warning_type: 'warning',
    created_at: at,
    expires_at: later,
    due_at: null,
    lifted_at: null,
    appeal: null,
    version: 0,
  }));
  await insert('message_reports', (index, reporter_user_id) => ({
    reporter_user_id,
    reported_user_id: other(index),
    status: 'resolved',
    created_at: at,
    resolved_at: at,
    is_carried_out: true,
  }));
  await insert('moderation_log', (_index, user_id) => ({
    user_id,
    created_at: at,
    action_taken: 'flagged',
    is_carried_out: true,
  }));
  await insert('idempotency_keys', () => ({ request: '', answer: null, done: true, at }));
  await insert('audit_log', (_index, user) => ({ at, admin_user_id: user, subject_id: user }));
  await insert('emergency_alert_acknowledgements', (_index, user_id) => ({
    user_id,
    alert_id: 'an alert',
    severity: 'minor',
    acknowledged_at: at,
  }));
  await insert('donations', (index, user_id) => ({
    user_id,
    holder: user_id,
    payment_id: `payment ${index}`,
    payment_status: 'completed',
    is_settled: true,
    ip_address: '203.0.113.1',
    created_at: at,
    updated_at: at,
    submitted_at: at,
  }));
  await insert('ad_impressions', (index, who) => ({
    ad_id: `ad ${index % 20}`,
    who,
    at,
    doubt: null,
  }));
  await insert('ad_clicks', (index, who) => ({
    ad_id: `ad ${index % 20}`,
    who,
    user_id: who,
    clicked_at: at,
    doubt: null,
    once: `bulk ${index}`,
  }));
  await insert('location_visits', (_index, user_id) => ({
    user_id,
    location_id: 'a place',
    visit_date: at,
    latitude: 40,
    longitude: -100,
  }));
  await insert('access_code_uses', (_index, user_id) => ({
    access_code_id: 'a code',
    user_id,
    used_at: at,
    ip_address: '203.0.113.1',
  }));
  await insert('access_grants', () => ({ expires_at: later }));
  await insert('referrals', (index) => ({
    referral_code: `bulk ${index}`,
    recipient_email: 'someone@example.com',
    accessed_at: null,
    sent_at: at,
  }));
  await insert('search_invitations', (index) => ({
    code: `bulk ${index}`,
    invitation_code: `bulk ${index}`,
    invited_email: 'someone@example.com',
    is_projected: true,
    used_at: null,
    created_at: at,
    expires_at: later,
  }));
  await insert('charity_donations', (_index, user_id) => ({
    user_id,
    charity_id: 'a charity',
    created_at: at,
    is_counted: true,
  }));
}
