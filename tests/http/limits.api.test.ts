import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { messageId } from '#shared/chat/document.ts';
import { contracts } from '#shared/contracts.ts';
import type { Endpoint } from '#shared/endpoint.ts';
import { createLocation } from '#shared/locations/contract.ts';
import { DAY_SECONDS, HOUR_SECONDS } from '#shared/time.ts';
import type { LimitKey } from '../../api/platform/http/rate-limit.ts';
import { networkOf } from '../../api/platform/http/request-origin.ts';
import { addressId } from '../../api/platform/mail-queue/messages.ts';
import { pathOf } from '../../client/platform/http/api-client.ts';
import { inHours, makeTimedAd, signUp, timedFields } from '../advertisers/sign-up.ts';
import { startTestApi, type TestApi, type TestPerson } from '../api.ts';
import { charityBody } from '../charities/made-charities.ts';
import { threadsOf } from '../chat/talk.ts';
import { befriend } from '../friends/befriend.ts';
import { donate, walletToken } from '../payments/pay.ts';

const MINUTE = 60;
const MONTH = 30 * DAY_SECONDS;
const WORDS = 'Too many attempts. Wait a moment and try again.';
const ID = 'nobodys-id-000000000000';
const here = { latitude: 40.78, longitude: -73.97 };
const picture = new Blob([new Uint8Array(8)]);

/** What counts together: a user, the network of a visitor, or another key. */
type Key = 'user' | 'network' | ((person: TestPerson) => LimitKey);

interface Sent {
  params?: Record<string, string>;
  query?: Record<string, string>;
  body?: object;
  /** Fields of a form, instead of a body. */
  form?: object;
  file?: Blob;
}

interface Row {
  points: number;
  seconds: number;
  key: Key;
  /** A name in shared/contracts.ts, or a method and a path. */
  call: string;
  sent?: Sent | ((person: TestPerson) => Promise<Sent>);
  words?: string;
}

const row = (
  [points, seconds]: [points: number, seconds: number],
  key: Key,
  call: string,
  sent?: Row['sent'],
  words = WORDS,
): Row => ({ points, seconds, key, call, sent, words });

/** A limit whose effect isn't a refusal, or needs more than one call. */
const elsewhere = (
  [points, seconds]: [points: number, seconds: number],
  /** The file below tests/ that shows the effect. */
  file: string,
) => ({ points, seconds, file });

const byId = { params: { id: ID } };
let attached = 0;
const haveFriend = new Set<string>();
/** Writes a message with a photo or recording, as a device does. */
const messageWith =
  (extras: object) =>
  async (person: TestPerson): Promise<Sent> => {
    if (!haveFriend.has(person.user.id)) await befriend(person, await api.as('friend@example.com'));
    haveFriend.add(person.user.id);
    const [thread] = await threadsOf(api, person);
    const mine = thread?.segments[0]?.mine ?? '';
    const [key, at] = [`with${(attached += 1)}`, new Date().toISOString()];
    const message = { key, seq: attached, device: 'phone', at, text: 'Words', ...extras };
    await api.change(mine, 'message.add', message);
    return { params: { id: messageId(mine, key) }, file: picture };
  };
const messageWithPhoto = messageWith({ photo: { width: 40, height: 30 } });
const messageWithVoice = messageWith({ voice: { seconds: 7 } });
const placeWithPhoto = async ({ call }: TestPerson): Promise<Sent> => {
  const body = { name: `Green ${randomUUID()}`, ...elsewhereOnEarth() };
  return { params: { id: (await call(createLocation, { body })).location.id }, file: picture };
};
const declinedDonation = async (person: TestPerson): Promise<Sent> => {
  const payment_token = await walletToken(api, 'declined');
  return { body: { payment_token, donation_id: await donate(person) } };
};
const declinedAd = async (person: TestPerson): Promise<Sent> => {
  const advertiser = await signUp(api, {}, person);
  const advertisement_id = await makeTimedAd(advertiser);
  const payment_token = await walletToken(api, 'declined');
  return { body: { payment_token, advertiser_id: advertiser.id, advertisement_id } };
};
let cells = 0;
const elsewhereOnEarth = () => ({ latitude: -33, longitude: (cells += 1) });
const email = ({ user }: TestPerson) => addressId('email', user.email);
const recipient = 'somebody@example.com';
const invite = { body: { referral_method: 'email', recipient_email: recipient } };

/** Every limit by its name: how often, in how many seconds, for whom, and a call that it refuses. */
const LIMITS: Record<string, Row | ReturnType<typeof elsewhere>> = {
  changes: row([600, MINUTE], 'user', 'profile.saveProfile', {
    body: { display_name: 'Ann', is_location_sharing_enabled: false },
  }),
  uploads: row([60, 600], 'user', 'profile.uploadProfileImage', { file: picture }),
  'sandbox-sign-in': elsewhere([120, MINUTE], 'session/session.api.test.ts'),
  'sign-in': row([120, MINUTE], 'network', 'session.redirectUrl'),
  'gate-address': row([100, MINUTE], 'network', 'accessGate.validateCode', { body: { code: 'X' } }),
  'gate-wrong': row([500, DAY_SECONDS], 'network', 'accessGate.validateCode', {
    body: { code: 'X' },
  }),
  'gate-wrong-strict': elsewhere([10, DAY_SECONDS], 'access-gate/access-gate.api.test.ts'),
  'gate-wrong-all': elsewhere([300, HOUR_SECONDS], 'access-gate/access-gate.api.test.ts'),
  profiles: row([120, MINUTE], 'user', 'profile.getUserProfile', byId),
  'client-errors': row([20, HOUR_SECONDS], 'user', 'clientErrors.reportClientError', {
    body: { error_class: 'TypeError', frames: [] },
  }),
  'friend-requests': row([30, HOUR_SECONDS], 'user', 'friends.createFriendRequest', {
    body: { receiver_user_id: ID },
  }),
  'friend-requests-to-one': row(
    [5, DAY_SECONDS],
    ({ user }) => `${user.id} ${ID}`,
    'friends.createFriendRequest',
    { body: { receiver_user_id: ID } },
  ),
  'friend-link-guesses': row([10, HOUR_SECONDS], 'user', 'friendLinks.openFriendLink', {
    body: { token: 'guess' },
  }),
  'friend-link-guesses-network': row([50, HOUR_SECONDS], 'network', 'friendLinks.openFriendLink', {
    body: { token: 'guess' },
  }),
  'friend-links-opened': row([100, HOUR_SECONDS], 'user', 'friendLinks.openFriendLink', {
    body: { token: 'guess' },
  }),
  'friend-links-live': row([200, HOUR_SECONDS], 'user', 'friendLinks.createLiveCode'),
  'friend-links-renewed': row([20, DAY_SECONDS], 'user', 'friendLinks.renewFriendLink'),
  'message-reports': row([30, HOUR_SECONDS], 'user', 'moderation.reportMessage', {
    body: {
      reported_user_id: ID,
      message_id: ID,
      report_type: 'inappropriate_content',
      description: 'Rude words',
    },
  }),
  'rule-trials': row([60, 600], 'user', 'moderationRules.tryRule', {
    body: { rule_type: 'word', rule_pattern: 'rex' },
  }),
  'chat-photos': row([120, HOUR_SECONDS], 'user', 'chat.uploadMessagePhoto', messageWithPhoto),
  'chat-photos-day': row([500, DAY_SECONDS], 'user', 'chat.uploadMessagePhoto', messageWithPhoto),
  'voice-notes': row([30, HOUR_SECONDS], 'user', 'chat.uploadMessageVoice', messageWithVoice),
  'voice-notes-day': row([100, DAY_SECONDS], 'user', 'chat.uploadMessageVoice', messageWithVoice),
  edit: row([60, HOUR_SECONDS], 'user', 'chat.editMessage', {
    ...byId,
    body: { message_text: 'Changed' },
  }),
  unsend: row([60, HOUR_SECONDS], 'user', 'chat.unsendMessage', byId),
  'message-search': row([120, MINUTE], 'user', 'chat.searchMessages', { query: { words: 'rex' } }),
  'friendly-index': row([240, MINUTE], 'user', 'friendlyIndex.getUserFriendlyIndex', byId),
  events: row([60, MINUTE], 'user', 'events.events'),
  ads: row([600, MINUTE], 'network', 'ads.listAds', { query: { placement: 'banner' } }),
  'ad-events': row([600, MINUTE], 'network', 'ads.clickAd', {
    body: { ad_id: ID, ad_title: 'Kibble', ad_url: 'https://kibble.example/' },
  }),
  location: row([120, MINUTE], 'user', 'proximity.reportLocation', { body: here }),
  'encounter-answers': row(
    [5, 180],
    ({ user }) => `${user.id} ${ID}`,
    'proximity.answerEncounter',
    { body: { user_id: ID, phrase: 'waiting' } },
  ),
  alerts: row([60, MINUTE], 'user', 'alerts.listAlerts', {
    query: { latitude: '40.78', longitude: '-73.97' },
  }),
  weather: row([60, MINUTE], 'user', 'weather.readWeather', { body: here }),
  'weather-refresh': row([10, 600], 'user', 'weather.readWeather', {
    body: { ...here, refresh: true },
  }),
  'weather-provider': row([30, 600], 'user', 'weather.readWeather', async () => ({
    body: elsewhereOnEarth(),
  })),
  'new-hazards': row([10, HOUR_SECONDS], 'user', 'hazards.createHazard', {
    body: { kind: 'glass', ...here },
  }),
  'hazard-texts': row([5, DAY_SECONDS], 'user', 'hazards.createHazard', {
    body: { kind: 'glass', description: 'By the gate', ...here },
  }),
  'hazard-votes': row([60, HOUR_SECONDS], 'user', 'hazards.voteOnHazard', {
    ...byId,
    body: { is_there: true },
  }),
  'new-planned-walks': row(
    [10, HOUR_SECONDS],
    'user',
    'plannedWalks.createPlannedWalk',
    async () => ({
      body: {
        id: randomUUID(),
        starts_at: inHours(20),
        place_name: 'Green',
        participant_ids: [ID],
      },
    }),
  ),
  'planned-walks': row([60, HOUR_SECONDS], 'user', 'plannedWalks.cancelPlannedWalk', byId),
  locations: row([240, MINUTE], 'user', 'locations.searchLocations', {
    query: { latitude: '40.78', longitude: '-73.97' },
  }),
  amenities: row([120, MINUTE], 'user', 'amenities.listAmenities', {
    query: { latitude: '40.78', longitude: '-73.97', kinds: 'water' },
  }),
  'new-locations': row([30, HOUR_SECONDS], 'user', 'locations.createLocation', {
    body: { name: 'Green', ...here },
  }),
  'location-tips': row([60, HOUR_SECONDS], 'user', 'locations.createTip', {
    body: { title: 'Water', content: 'By the gate', location_id: ID },
  }),
  'tip-votes': row([120, MINUTE], 'user', 'locations.voteForTip', {
    ...byId,
    body: { is_helpful: true },
  }),
  'location-photos': row(
    [30, HOUR_SECONDS],
    'user',
    'locationsPhotos.uploadLocationPhoto',
    placeWithPhoto,
  ),
  'location-visits': row([120, HOUR_SECONDS], 'user', 'locations.createVisit', {
    body: { location_id: ID },
  }),
  'location-reports': row([30, HOUR_SECONDS], 'user', 'locations.reportProblem', {
    body: { location_id: ID, report_type: 'wrong_place' },
  }),
  'referrals-person': row(
    [20, DAY_SECONDS],
    email,
    'referrals.createReferral',
    invite,
    'You’ve reached today’s invitation limit. Share your link instead.',
  ),
  'referrals-recipient': row(
    [3, MONTH],
    () => addressId('email', recipient),
    'referrals.createReferral',
    invite,
    'This person has been invited too often lately. Share your link instead.',
  ),
  'referrals-texts-young': elsewhere([5, DAY_SECONDS], 'referrals/limits.api.test.ts'),
  'referrals-texts-network': elsewhere([60, DAY_SECONDS], 'referrals/limits.api.test.ts'),
  'referrals-texts': elsewhere([500, DAY_SECONDS], 'referrals/limits.api.test.ts'),
  'referrals-texts-scarce': elsewhere([1, DAY_SECONDS], 'referrals/limits.api.test.ts'),
  'referrals-texts-most': elsewhere([2_500, DAY_SECONDS], 'referrals/limits.api.test.ts'),
  'referrals-links': row([60, MINUTE], 'network', 'referrals.getInvitation', {
    params: { ref: ID },
  }),
  'referrals-tracking': row([60, MINUTE], 'network', 'referrals.trackAccess', {
    body: { referrer_id: ID, access_code: 'GUESS' },
  }),
  'invitation-guesses': row([10, HOUR_SECONDS], 'user', 'invitations.searchUsers', {
    body: { query: 'zz', invitation_code: 'WRONG000' },
  }),
  'invitation-guesses-network': row([50, HOUR_SECONDS], 'network', 'invitations.searchUsers', {
    body: { query: 'zz', invitation_code: 'WRONG000' },
  }),
  'user-searches': row([30, 300], 'user', 'invitations.searchUsers', {
    body: { query: 'zz', invitation_code: 'WRONG000' },
  }),
  'users-found': elsewhere([400, DAY_SECONDS], 'invitations/invitations.api.test.ts'),
  'search-invitations': row([20, DAY_SECONDS], email, 'invitations.createInvitation', {
    body: { invited_email: recipient },
  }),
  'search-invitations-recipient': elsewhere([3, MONTH], 'invitations/invitations.api.test.ts'),
  'charity-emails': elsewhere([3, MONTH], 'charities/charities.api.test.ts'),
  'charity-applications': row([5, HOUR_SECONDS], 'network', 'charities.createCharity', {
    form: charityBody(),
  }),
  'charity-applications-day': row([20, DAY_SECONDS], 'network', 'charities.createCharity', {
    form: charityBody(),
  }),
  'charity-pages': row([100, DAY_SECONDS], 'network', 'charities.openApplication', {
    body: { token: 'none' },
  }),
  'charity-suggestions': row([10, DAY_SECONDS], 'user', 'charities.createCharity', {
    body: charityBody(),
  }),
  'charity-donations': row([60, HOUR_SECONDS], 'user', 'charities.createCharityDonation', {
    body: { charity_id: ID },
  }),
  unsubscribe: row([60, MINUTE], 'network', 'GET /api/unsubscribe/guess'),
  push: row([120, 600], 'user', 'push.reportVisibility', { body: { is_visible: true } }),
  'sandbox-wallet': row([120, MINUTE], 'network', 'POST /api/sandbox/google-pay/token'),
  'donation-made': row([60, HOUR_SECONDS], 'network', 'payments.createDonation', {
    body: { amount_cents: 100 },
  }),
  'donation-refused': row(
    [12, HOUR_SECONDS],
    'network',
    'payments.processDonation',
    declinedDonation,
  ),
  'donation-refused-strict': elsewhere([3, HOUR_SECONDS], 'payments/donations.api.test.ts'),
  'donation-refused-all': elsewhere([100, HOUR_SECONDS], 'payments/donations.api.test.ts'),
  'donation-asked': row([240, MINUTE], 'network', 'payments.checkDonation', {
    body: { donation_id: ID },
  }),
  'advertiser-made': row([60, HOUR_SECONDS], 'network', 'advertisers.createAdvertiser', {
    body: { email: 'shop@example.com', company_name: 'Kibble', contact_name: 'Kim' },
  }),
  'advertiser-ads': row([30, HOUR_SECONDS], 'network', 'advertisers.createTimedAd', {
    form: { advertiser_id: ID, ...timedFields() },
  }),
  'advertiser-asked': row([240, MINUTE], 'network', 'advertisers.checkAdPayment', {
    body: { advertiser_id: ID, advertisement_id: ID },
  }),
  'advertiser-refused': row([12, HOUR_SECONDS], 'network', 'advertisers.payForAd', declinedAd),
  'advertiser-refused-strict': elsewhere([3, HOUR_SECONDS], 'payments/donations.api.test.ts'),
  'advertiser-refused-all': elsewhere([100, HOUR_SECONDS], 'payments/donations.api.test.ts'),
  'advertiser-dashboard': row([120, MINUTE], 'network', 'advertiserDashboard.openDashboard', {
    body: { token: 'guess' },
  }),
  'advertiser-links': row([20, HOUR_SECONDS], 'network', 'advertiserDashboard.sendDashboardLink', {
    body: { email: recipient },
  }),
  'advertiser-changes': elsewhere([20, HOUR_SECONDS], 'advertisers/dashboard.api.test.ts'),
  'advertiser-mailbox': row(
    [5, HOUR_SECONDS],
    () => addressId('email', recipient),
    'advertiserDashboard.sendDashboardLink',
    { body: { email: recipient } },
  ),
  export: row([10, HOUR_SECONDS], 'user', 'account.exportAccount'),
};

let api: TestApi;
beforeAll(async () => {
  api = await startTestApi(inject('mongodbUri'));
});
afterAll(() => api.close());

let networks = 0;
/** Returns an address of a network that no other test uses. */
const freshAddress = () => `198.51.${100 + Math.floor(networks / 250)}.${(networks++ % 250) + 1}`;

/** Sends a call. @returns the status, the failure, and the seconds to wait */
async function send(
  { jar }: Pick<TestPerson, 'jar'>,
  address: string,
  call: string,
  { params, query, body, form, file }: Sent = {},
) {
  const endpoint = contracts.get(call);
  const [method, path] = endpoint
    ? [endpoint.method, pathOf(endpoint, params, query)]
    : (call.split(' ') as [string, string]);
  const data = form || file ? new FormData() : undefined;
  for (const [name, value] of Object.entries(form ?? {})) data?.set(name, String(value));
  if (file) data?.set(endpoint?.upload?.field ?? 'file', file);
  const response = await jar.fetch(`${api.origin}${path}`, {
    method,
    headers: {
      'x-forwarded-for': address,
      ...(body && { 'content-type': 'application/json' }),
    },
    body: data ?? (body && JSON.stringify(body)),
  });
  const isJson = response.headers.get('content-type')?.includes('json') ?? false;
  const failure = isJson ? ((await response.json()) as { error?: string; code?: string }) : {};
  await response.body?.cancel().catch(() => {});
  const { status, headers } = response;
  return { status, failure, retryAfter: Number(headers.get('retry-after')) };
}

/** Uses up a limit for a key, and shows with another one how many points it has. */
async function useUp(name: string, key: LimitKey): Promise<void> {
  const { limit, limiter } = api.limits().get(name)!;
  const unused = randomUUID();
  expect(await limiter.admits(unused, limit.points)).toBe(true);
  expect(await limiter.admits(unused)).toBe(false);
  await limiter.admits(key, limit.points);
  expect(await limiter.hasLeft(key)).toBe(false);
}

async function expectLimited(
  answer: ReturnType<typeof send>,
  { seconds, words = WORDS }: { seconds: number; words?: string },
): Promise<void> {
  const { status, failure, retryAfter } = await answer;
  expect({ status, ...failure }).toMatchObject({ status: 429, error: words, code: 'rate_limited' });
  expect(retryAfter).toBeGreaterThan(0);
  expect(retryAfter).toBeLessThanOrEqual(seconds);
}

const isRow = (entry: [string, (typeof LIMITS)[string]]): entry is [string, Row] =>
  'call' in entry[1];
const reads = [...contracts].filter(([, { method }]) => method === 'GET');
const limitOf = ({ method, path }: Endpoint) => `${method} ${path}`;

test('every limit is in the table, with its points and its window', () => {
  const ofReads = new Set(reads.map(([, endpoint]) => limitOf(endpoint)));
  const declared = [...api.limits()].filter(([name]) => !ofReads.has(name));
  expect(
    Object.fromEntries(declared.map(([name, { limit }]) => [name, [limit.points, limit.seconds]])),
  ).toEqual(
    Object.fromEntries(
      Object.entries(LIMITS).map(([name, { points, seconds }]) => [name, [points, seconds]]),
    ),
  );
  const files = Object.values(LIMITS).flatMap((one) => ('file' in one ? [one.file] : []));
  expect(files.filter((file) => !existsSync(join('tests', file)))).toEqual([]);
});

test.each(Object.entries(LIMITS).filter(isRow))(
  'the limit %s holds for a call, which says when to try again',
  (name, limit) =>
    api.withLimits(1, async () => {
      const isAdmin = contracts.get(limit.call)?.access === 'admin';
      const person = isAdmin ? await api.asAdmin() : await api.as(`${name}@example.com`);
      const address = freshAddress();
      const keys = { user: person.user.id, network: networkOf(address) };
      const key = typeof limit.key === 'string' ? keys[limit.key] : limit.key(person);
      const call = async () =>
        send(
          person,
          address,
          limit.call,
          typeof limit.sent === 'function' ? await limit.sent(person) : limit.sent,
        );
      expect((await call()).status).not.toBe(429);
      await useUp(name, key);
      await expectLimited(call(), limit);
    }),
);

describe('reads', () => {
  const paramsOf = ({ path }: Endpoint) =>
    Object.fromEntries([...path.matchAll(/:(\w+)/g)].map(([, name = '']) => [name, ID]));

  test('every read is limited by user, and a public one for visitors by network', () =>
    api.withLimits(1, async () => {
      const admin = await api.asAdmin();
      for (const [call, endpoint] of reads) {
        const { limit } = api.limits().get(limitOf(endpoint))!;
        const sent = { params: paramsOf(endpoint) };
        await useUp(limit.name, admin.user.id);
        await expectLimited(send(admin, freshAddress(), call, sent), limit);
        if (endpoint.access !== 'public') continue;
        const address = freshAddress();
        await useUp(limit.name, networkOf(address));
        await expectLimited(send(api.visitor(), address, call, sent), limit);
      }
    }));

  test('expensive reads have stricter limits than the usual 300 a minute', () => {
    const pointsOf = (path: string) => api.limits().get(`GET ${path}`)?.limit;
    expect(pointsOf('/friends')).toMatchObject({ points: 300, seconds: MINUTE });
    expect(pointsOf('/conversations')).toMatchObject({ points: 60, seconds: MINUTE });
    expect(pointsOf('/geocoder/search')).toMatchObject({ points: 30, seconds: MINUTE });
    const exports = reads.filter(([, { path }]) => /^\/admin\/.*\/export$/.test(path));
    expect(exports.length).toBeGreaterThan(5);
    for (const [, { path }] of exports)
      expect({ path, limit: pointsOf(path) }).toMatchObject({ path, limit: { points: 30 } });
  });
});
