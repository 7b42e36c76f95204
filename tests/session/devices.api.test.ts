import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { WebSocket } from 'ws';
import { deleteAccount } from '#shared/account/contract.ts';
import { createCharityDonation } from '#shared/charities/contract.ts';
import { contracts } from '#shared/contracts.ts';
import { RECENT_SIGN_IN_REQUIRED } from '#shared/endpoint.ts';
import { tokenHash, type SessionRow, type UserRow } from '#shared/server/collections.ts';
import { createSession, logout, me } from '#shared/session/contract.ts';
import { endOtherSessions, endSession, listSessions } from '#shared/session/devices-contract.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '#shared/time.ts';
import { deviceName } from '../../api/platform/session/device-name.ts';
import { pathOf, type CallError } from '../../client/platform/http/api-client.ts';
import { codeFor, startTestApi, type TestApi, type TestPerson } from '../api.ts';
import { listen } from '../events/listen.ts';
import { expectRefused } from '../refusals.ts';

let api: TestApi;
beforeAll(async () => {
  api = await startTestApi(inject('mongodbUri'));
});
afterAll(() => api.close());

const fresh = () => `${randomUUID()}@example.com`;
const sessions = () => api.db.collection<SessionRow>('sessions');
const tokenOf = ({ jar }: TestPerson) => jar.cookies.get('leashwise-session') ?? '';
const rowOf = async (person: TestPerson) =>
  (await sessions().findOne({ _id: tokenHash(tokenOf(person)) }))!;

/** Moves a sign-in into the past without changing its last use. */
async function moveBack(person: TestPerson, ms: number): Promise<void> {
  const { _id, created_at } = await rowOf(person);
  const before = new Date(created_at.getTime() - ms);
  await sessions().updateOne({ _id }, { $set: { created_at: before } });
}

/** Like `moveBack`, and has the servers read it again. */
async function age(person: TestPerson, ms: number): Promise<void> {
  await moveBack(person, ms);
  await api.reread(person);
}

/** Opens the sync socket as a browser does. */
const dial = ({ jar }: TestPerson) =>
  new Promise<{ socket: WebSocket; isOpen: boolean }>((resolve) => {
    const headers = { cookie: jar.header };
    const socket = new WebSocket(`ws://127.0.0.1:${api.syncPort}/sync`, { headers });
    socket.on('open', () => resolve({ socket, isOpen: true }));
    socket.on('error', () => resolve({ socket, isOpen: false }));
  });

describe('the list of sessions', () => {
  test('lists each device, the current one first, without secrets', async () => {
    const email = fresh();
    const phone = await api.as(email, { access: false });
    const tablet = await api.as(email, { access: false });
    await api.as(fresh(), { access: false });
    const { sessions: list } = await phone.call(listSessions);
    expect(list.map(({ is_current }) => is_current)).toEqual([true, false]);
    const now = new Date().toISOString();
    for (const { id, created_at, last_used_at } of list) {
      expect(created_at <= now).toBe(true);
      expect(last_used_at).toMatch(/:00:00\.000Z$/);
      const secrets = [phone, tablet].map(tokenOf);
      expect([...secrets, ...secrets.map(tokenHash)]).not.toContain(id);
      const headers = { cookie: `leashwise-session=${id}` };
      const { status } = await fetch(`${api.origin}${pathOf(me)}`, { headers });
      expect(status).toBe(401);
    }
  });

  test('stores the name of the device instead of the header', async () => {
    const agent =
      'Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/149.0.0.0 Mobile Safari/537.36';
    expect(deviceName(agent)).toBe('Chrome on Android');
    expect(
      deviceName(
        'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1',
      ),
    ).toBe('Safari on iPhone');
    expect(
      deviceName(
        'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0',
      ),
    ).toBe('Firefox on Windows');
    expect(deviceName('')).toBe('Unknown device');
    expect(deviceName('\u0000'.repeat(10_000))).toBe('Unknown device');
    const person = await api.as(fresh(), { access: false });
    expect((await rowOf(person)).device).toBeTypeOf('string');
  });
});

describe('ending sessions', () => {
  test('ends one of several sessions for calls, event streams and sync sockets', async () => {
    const email = fresh();
    const phone = await api.as(email);
    const tablet = await api.as(email);
    const laptop = await api.as(email);
    const stream = await listen(api.origin, tablet);
    const { socket, isOpen } = await dial(tablet);
    expect(isOpen).toBe(true);
    const closed = new Promise((resolve) => socket.on('close', resolve));
    const tabletId = (await tablet.call(listSessions)).sessions[0]!.id;

    await phone.call(endSession, { params: { id: tabletId } });

    await expectRefused(tablet.call(me), 401, { code: 'signed_out' });
    await stream.ended;
    await closed;
    expect((await dial(tablet)).isOpen).toBe(false);
    expect((await laptop.call(me)).email).toBe(email);
    expect((await phone.call(listSessions)).sessions).toHaveLength(2);
    await expectRefused(phone.call(endSession, { params: { id: tabletId } }), 404);
  });

  test('ends the current session like a logout, and no other user’s session', async () => {
    const person = await api.as(fresh(), { access: false });
    const stranger = await api.as(fresh(), { access: false });
    const { sessions: theirs } = await stranger.call(listSessions);
    const params = { id: theirs[0]!.id };
    await expectRefused(person.call(endSession, { params }), 404, { code: 'not_found' });
    expect((await stranger.call(me)).id).toBe(stranger.user.id);
    for (const id of [tokenOf(stranger), tokenHash(tokenOf(stranger)), '{"$ne":""}'])
      await expectRefused(person.call(endSession, { params: { id } }), 404);
    const { sessions: own } = await person.call(listSessions);
    await person.call(endSession, { params: { id: own[0]!.id } });
    expect(person.jar.cookies.has('leashwise-session')).toBe(false);
  });

  test('ends all other sessions', async () => {
    const email = fresh();
    const phone = await api.as(email, { access: false });
    const others = [await api.as(email, { access: false }), await api.as(email, { access: false })];
    const stranger = await api.as(fresh(), { access: false });
    expect(await phone.call(endOtherSessions)).toEqual({ ended: 2 });
    for (const other of others) await expectRefused(other.call(me), 401);
    expect((await phone.call(listSessions)).sessions).toHaveLength(1);
    expect(await phone.call(endOtherSessions)).toEqual({ ended: 0 });
    expect((await stranger.call(me)).id).toBe(stranger.user.id);
  });
});

describe('absolute lifetimes', () => {
  test('a session ends 90 days after sign-in, even if it is used', async () => {
    const person = await api.as(fresh());
    // The session is due for an extension.
    const { _id } = await rowOf(person);
    const before = { last_used_at: new Date(Date.now() - 2 * HOUR_MS) };
    await sessions().updateOne({ _id }, { $set: before });
    await age(person, 90 * DAY_MS - MINUTE_MS);
    await person.call(me);
    const { expires_at, created_at } = await rowOf(person);
    expect(expires_at.getTime()).toBeLessThanOrEqual(created_at.getTime() + 90 * DAY_MS);
    const { isOpen, socket } = await dial(person);
    expect(isOpen).toBe(true);
    socket.close();

    // The row of an older version without an absolute lifetime.
    const later = { expires_at: new Date(Date.now() + DAY_MS) };
    await sessions().updateOne({ user_id: person.user.id }, { $set: later });
    await age(person, 2 * MINUTE_MS);
    await expectRefused(person.call(me), 401, { code: 'signed_out' });
    expect((await dial(person)).isOpen).toBe(false);
    const events = await person.jar.fetch(`${api.origin}/api/events`);
    expect(events.status).toBe(401);
  });

  test('an admin’s session ends after 12 hours, also for users who became admins later', async () => {
    const admin = await api.asAdmin();
    await age(admin, 12 * HOUR_MS - MINUTE_MS);
    await admin.call(me);
    await age(admin, 2 * MINUTE_MS);
    await expectRefused(admin.call(me), 401, { code: 'signed_out' });
    expect((await dial(admin)).isOpen).toBe(false);

    const person = await api.as(fresh());
    await age(person, 13 * HOUR_MS);
    await person.call(me);
    await api.db
      .collection<UserRow>('users')
      .updateOne({ _id: person.user.id }, { $set: { is_admin: true } });
    await api.db
      .collection('signals')
      .insertOne({ topic: 'user', user_id: person.user.id, at: new Date() });
    const status = () =>
      person.call(me).then(
        () => 200,
        (refusal: CallError) => refusal.status,
      );
    await expect.poll(status).toBe(401);
  });

  test('an open event stream and sync socket end with the lifetime of the session', async () => {
    const person = await api.as(fresh());
    const stream = await listen(api.origin, person);
    const { socket } = await dial(person);
    const closed = new Promise<number>((resolve) => socket.on('close', resolve));
    await moveBack(person, 91 * DAY_MS);
    // Both check the session at intervals, and at once after a signal about it.
    await api.db
      .collection('signals')
      .insertOne({ topic: 'session', user_id: person.user.id, at: new Date() });
    await expect(stream.ended).resolves.toBeUndefined();
    await expect(closed).resolves.toBeTypeOf('number');
  });

  test('the session cookie lasts as long as the session can', async () => {
    const maxAge = async (email: string) => {
      const { call, jar } = api.visitor();
      const body = await codeFor(api.origin, call, email);
      const response = await jar.fetch(`${api.origin}${pathOf(createSession)}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      });
      const lines = response.headers.getSetCookie().join('\n');
      return Number(/leashwise-session=[^;]+;.*?Max-Age=(\d+)/.exec(lines)?.[1]) * 1000;
    };
    expect(await maxAge(fresh())).toBe(90 * DAY_MS);
    expect(await maxAge('admin@example.com')).toBe(12 * HOUR_MS);
  });
});

describe('a recent sign-in', () => {
  const guarded = [...contracts].filter(([, { requiresRecentSignIn }]) => requiresRecentSignIn);

  test('exports, deletion, bulk actions of admins and refunds require a recent sign-in', () => {
    expect(guarded.map(([name]) => name).toSorted()).toEqual([
      'accessGateAdmin.changeCodes',
      'accessGateAdmin.exportCodes',
      'account.deleteAccount',
      'account.exportAccount',
      'adsAdmin.changeAdvertisements',
      'adsAdmin.exportAdvertisements',
      'advertisersAdmin.changeAdvertiserAds',
      'advertisersAdmin.changeListings',
      'advertisersAdmin.exportAdvertisers',
      'advertisersAdmin.refundAd',
      'advertisersAdmin.takeDownAd',
      'advertisersAdmin.takeDownListing',
      'advertisersReview.refuseAdReview',
      'alertsAdmin.exportAlerts',
      'charitiesAdmin.changeCharities',
      'charitiesAdmin.exportCharities',
      'hazardsAdmin.changeAdminHazards',
      'hazardsAdmin.exportAdminHazards',
      'locationsAdmin.changeAdminLocations',
      'locationsAdmin.exportAdminLocations',
      'paymentsAdmin.exportDonations',
    ]);
    const bulk = [...contracts].filter(([, { path }]) => /\/(bulk|export|refund)$/.test(path));
    for (const [name, { requiresRecentSignIn }] of bulk)
      expect([name, requiresRecentSignIn]).toEqual([name, true]);
    expect(createCharityDonation.requiresRecentSignIn).toBeUndefined();
  });

  test('rejects an old sign-in before it reads the request, until the user signs in again', async () => {
    const admin = await api.asAdmin();
    await age(admin, 16 * MINUTE_MS);
    for (const [name, endpoint] of guarded) {
      const response = await admin.jar.fetch(
        `${api.origin}${pathOf(endpoint, { id: 'nothing-like-it' })}`,
        {
          method: endpoint.method,
          ...(endpoint.body && {
            headers: { 'content-type': 'application/json' },
            body: '{"nonsense":true}',
          }),
        },
      );
      const { code } = (await response.json()) as { code: string };
      expect([name, response.status, code]).toEqual([name, 403, RECENT_SIGN_IN_REQUIRED]);
    }

    const person = await api.as(fresh(), { access: false });
    const body = { confirmation: 'delete my account' };
    await age(person, 16 * MINUTE_MS);
    await expectRefused(person.call(deleteAccount, { body }), 403, {
      code: RECENT_SIGN_IN_REQUIRED,
      error: 'Please sign in again to continue',
    });
    const again = await api.as(person.user.email, { access: false, jar: person.jar });
    expect(await again.call(deleteAccount, { body })).toEqual({});
  });

  test('a sign-in counts as recent for 15 minutes', async () => {
    const person = await api.as(fresh(), { access: false });
    await age(person, 14 * MINUTE_MS);
    expect(
      await person.call(deleteAccount, { body: { confirmation: 'delete my account' } }),
    ).toEqual({});
  });
});

describe('Clear-Site-Data', () => {
  test('a logout and an account deletion clear the HTTP cache only', async () => {
    const person = await api.as(fresh(), { access: false });
    const left = await person.jar.fetch(`${api.origin}${pathOf(logout)}`);
    expect(left.headers.get('clear-site-data')).toBe('"cache"');
    const other = await api.as(fresh(), { access: false });
    const deleted = await other.jar.fetch(`${api.origin}${pathOf(deleteAccount)}`, {
      method: 'DELETE',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ confirmation: 'delete my account' }),
    });
    expect(deleted.headers.get('clear-site-data')).toBe('"cache"');
  });

  test('a logout request from another site clears nothing', async () => {
    const person = await api.as(fresh(), { access: false });
    for (const site of ['cross-site', 'same-site']) {
      const response = await person.jar.fetch(`${api.origin}${pathOf(logout)}`, {
        headers: { 'sec-fetch-site': site, 'sec-fetch-mode': 'navigate' },
      });
      expect(response.status).toBe(403);
      expect(response.headers.get('clear-site-data')).toBeNull();
    }
    expect((await person.call(me)).id).toBe(person.user.id);
  });
});
