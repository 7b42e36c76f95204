import { afterAll, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest';
import { deactivateAlert, listAdminAlerts } from '#shared/alerts/admin-contract.ts';
import { acknowledgeAlert, listAlerts } from '#shared/alerts/contract.ts';
import type { Place } from '#shared/place.ts';
import { reportLocation } from '#shared/proximity/contract.ts';
import { readWeather } from '#shared/weather/contract.ts';
import { composePush } from '../../api/app/compose-push.ts';
import { createAlertBroadcaster } from '../../api/features/alerts/alert-broadcaster.ts';
import { watchNws } from '../../api/features/alerts/nws.ts';
import { runAlertsJob } from '../../api/features/alerts/run-alerts-job.ts';
import { createLimiters } from '../../api/platform/http/rate-limit.ts';
import { startTestApi, type TestApi, type TestPerson } from '../api.ts';
import { emulate, type Emulated, type Emulator } from '../emulator.ts';
import { listen } from '../events/listen.ts';
import { makeProfile } from '../factories.ts';
import { spareServices } from '../services.ts';
import { cap, refersTo } from './cap-messages.ts';

let api: TestApi;
let service: Emulator;
let ann: TestPerson;
/** The answer of the emulated weather service. */
let answer: Emulated | null = null;
const collection = (features: object[]): Emulated => ({
  body: { type: 'FeatureCollection', features },
});
const serveAlerts = (...features: object[]) => (answer = collection(features));
/** Other answers, by the point that is asked for. */
const answers = new Map<string, Emulated>();
const serveAt = (place: Place, ...features: object[]) =>
  answers.set(`${Number(place.latitude.toFixed(2))},${place.longitude}`, collection(features));

beforeAll(async () => {
  service = await emulate((url) => answers.get(url.searchParams.get('point') ?? '') ?? answer);
  api = await startTestApi(inject('mongodbUri'), {
    NWS_USER_AGENT: '(leashwise.example, ops@leashwise.example)',
    NWS_URL: service.url,
    WEATHER_TIMEOUT_MS: '3000',
  });
  ann = await api.as('ann@example.com');
});
afterAll(async () => {
  await api.close();
  service.close();
});

// Each test uses its own cell.
let here: Place = { latitude: 40, longitude: -100 };
beforeEach(() => {
  here = { latitude: here.latitude + 0.1, longitude: -100 };
  serveAlerts();
  answers.clear();
  service.asked.length = 0;
});

const listAt = async (place = here, person = ann) => {
  const query = { latitude: String(place.latitude), longitude: String(place.longitude) };
  return (await person.call(listAlerts, { query })).alerts;
};
const titles = async (place = here) => (await listAt(place)).map(({ title }) => title);
/** Lets a minute pass since the last poll of each cell. Cells are polled once a minute. */
const aMinuteLater = () =>
  api.db
    .collection('nws_cells')
    .updateMany({}, [{ $set: { expires_at: { $subtract: ['$expires_at', 61_000] } } }]);

test('shows alerts of the weather service in their area', async () => {
  const area = [here.longitude - 0.05, here.longitude + 0.05].flatMap((longitude) =>
    [here.latitude - 0.05, here.latitude + 0.05].map((latitude) => [longitude, latitude]),
  );
  serveAlerts(
    cap('shown', { geometry: { type: 'Polygon', coordinates: [area] } }),
    cap('a test', { status: 'Test' }),
    { odd: true },
  );
  const [alert, ...more] = await listAt();
  expect(more).toEqual([]);
  expect(alert).toMatchObject({
    alert_id: 'shown',
    alert_type: 'weather',
    severity: 'severe',
    title: 'Severe Thunderstorm Warning',
    user_id: ann.user.id,
    is_active: true,
    is_acknowledged: false,
    affected_latitude: expect.closeTo(here.latitude, 3),
    radius_miles: expect.closeTo(4.4, 0),
  });
  const { alerts } = await ann.call(readWeather, { body: here });
  expect(alerts).toEqual([alert]);
  serveAlerts();
  expect(await titles({ ...here, latitude: here.latitude + 0.02 })).toEqual([]);

  const [{ url, headers }] = service.asked as [Emulator['asked'][number]];
  expect(url.pathname).toBe('/alerts/active');
  expect(url.searchParams.get('status')).toBe('actual');
  expect(url.searchParams.get('point')).toBe(`${here.latitude.toFixed(1)},-100`);
  expect(headers['user-agent']).toBe('(leashwise.example, ops@leashwise.example)');
});

test('requests each cell at most once a minute for any number of users', async () => {
  serveAlerts(cap('once'));
  await Promise.all(Array.from({ length: 20 }, () => listAt()));
  expect(await titles()).toEqual(['Severe Thunderstorm Warning']);
  expect(service.asked).toHaveLength(1);
  await aMinuteLater();
  await Promise.all(Array.from({ length: 20 }, () => listAt()));
  expect(service.asked).toHaveLength(2);
  expect(await listAt()).toHaveLength(1);
});

test('makes no requests for places outside of the service’s coverage', async () => {
  expect(await listAt({ latitude: 51.5, longitude: -0.12 })).toEqual([]);
  expect(service.asked).toEqual([]);
});

test('an update replaces its predecessor and keeps the acknowledgment unless the severity rises', async () => {
  serveAlerts(cap('first', { severity: 'Moderate' }));
  const { id } = (await listAt())[0]!;
  await ann.call(acknowledgeAlert, { params: { id } });

  await aMinuteLater();
  serveAlerts(
    cap('first', { severity: 'Moderate' }),
    cap('second', {
      ...refersTo('first'),
      messageType: 'Update',
      severity: 'Moderate',
      description: 'It moves on.',
      minutes: { sent: -20 },
    }),
  );
  expect(await listAt()).toMatchObject([
    { id, alert_id: 'second', description: 'It moves on.', is_acknowledged: true },
  ]);

  await aMinuteLater();
  const third = cap('third', {
    ...refersTo('first', 'second'),
    messageType: 'Update',
    severity: 'Extreme',
    minutes: { sent: -10 },
  });
  serveAlerts(third);
  expect(await listAt()).toMatchObject([
    { id, alert_id: 'third', severity: 'extreme', is_acknowledged: false },
  ]);

  await aMinuteLater();
  // Messages may arrive out of order, for example when another cell gets an older state.
  serveAlerts(third, cap('first', { severity: 'Moderate' }));
  expect(await listAt()).toMatchObject([{ id, alert_id: 'third' }]);
  // To admins each message is one, active while it is in force.
  const { alerts } = await (await api.asAdmin()).call(listAdminAlerts);
  const ofChain = alerts.filter(({ alert_id }) => ['first', 'second', 'third'].includes(alert_id));
  expect(ofChain.map(({ alert_id, is_active }) => [alert_id, is_active])).toEqual([
    ['third', true],
    ['second', false],
    ['first', false],
  ]);
});

test('removes alerts that are canceled, expired, or no longer listed', async () => {
  serveAlerts(
    cap('cancelled', { event: 'C' }),
    cap('dropped', { event: 'D' }),
    cap('stays', { event: 'S' }),
  );
  expect((await titles()).toSorted()).toEqual(['C', 'D', 'S']);
  await aMinuteLater();
  serveAlerts(
    cap('cancel', { ...refersTo('cancelled'), messageType: 'Cancel', minutes: { sent: -1 } }),
    cap('stays', { event: 'S' }),
    cap('expired', { event: 'E', minutes: { expires: -2, ends: -1 } }),
  );
  expect(await titles()).toEqual(['S']);
  await api.db
    .collection('emergency_alerts')
    .updateOne({ alert_id: 'stays' }, { $set: { expires_at: new Date(Date.now() - 1) } });
  expect(await titles()).toEqual([]);
});

test('an alert that an admin removed stays removed until it is reissued', async () => {
  serveAlerts(cap('unwanted', { minutes: { sent: -3 * 24 * 60 } }));
  const { id } = (await listAt())[0]!;
  const admin = await api.asAdmin();
  await admin.call(deactivateAlert, { params: { id } });
  await aMinuteLater();
  expect(await titles()).toEqual([]);
  // The alert stays removed as long as the service lists it, even long after it was sent.
  const spare = await spareServices(api);
  await runAlertsJob(spare.services.db);
  await aMinuteLater();
  expect(await titles()).toEqual([]);
  serveAlerts();
  await aMinuteLater();
  await listAt();
  await api.db
    .collection('emergency_alerts')
    .updateOne({ alert_id: 'unwanted' }, { $set: { expires_at: new Date(0) } });
  await runAlertsJob(spare.services.db);
  expect(await api.db.collection('emergency_alerts').countDocuments({ alert_id: 'unwanted' })).toBe(
    0,
  );
  await spare.close();
});

describe('a bulletin for several zones', () => {
  const zones = (...UGC: string[]) => ({ geocode: { UGC } });
  const blizzard = (id: string, severity: string, change: object) =>
    cap(named(id), { event: 'Blizzard Warning', severity, ...change });
  /** Messages of other cells have other ids. */
  const named = (id: string) => `${id} @${here.latitude.toFixed(1)}`;
  const replaces = (...ids: string[]) => refersTo(...ids.map(named));
  let north: Place;
  let south: Place;
  beforeEach(async () => {
    north = here;
    south = { ...here, latitude: here.latitude - 0.03 };
    const whole = blizzard('whole', 'Severe', zones('NYZ001', 'NYZ002'));
    serveAt(north, whole);
    serveAt(south, whole);
    await listAt(north);
    await listAt(south);
  });
  /** Reads after another poll. */
  const polledAt = async (place: Place) => {
    await aMinuteLater();
    return listAt(place);
  };
  const seenAt = async (place: Place) =>
    (await polledAt(place)).map(
      ({ alert_id, severity }) => `${alert_id.split(' @')[0]} ${severity}`,
    );

  test('one message per zone, sent at one time, tells each zone its own', async () => {
    const first = { ...replaces('whole'), messageType: 'Update', minutes: { sent: -20 } };
    serveAt(north, blizzard('part 1', 'Moderate', { ...first, ...zones('NYZ001') }));
    serveAt(south, blizzard('part 2', 'Extreme', { ...first, ...zones('NYZ002') }));
    expect(await seenAt(north)).toEqual(['part 1 moderate']);
    expect(await seenAt(south)).toEqual(['part 2 extreme']);
    // A minute later a milder one for the other zone.
    const newer = { ...replaces('whole', 'part 1'), messageType: 'Update', minutes: { sent: -10 } };
    serveAt(north, blizzard('part 3', 'Minor', { ...newer, ...zones('NYZ001') }));
    expect(await seenAt(north)).toEqual(['part 3 minor']);
    expect(await seenAt(south)).toEqual(['part 2 extreme']);
    expect(await seenAt(south)).toEqual(['part 2 extreme']);
    // Both again in one.
    const both = { ...replaces('part 2', 'part 3'), messageType: 'Update', minutes: { sent: -5 } };
    const merged = blizzard('merged', 'Severe', { ...both, ...zones('NYZ001', 'NYZ002') });
    for (const place of [north, south]) serveAt(place, merged);
    expect(await seenAt(north)).toEqual(['merged severe']);
    expect(await seenAt(south)).toEqual(['merged severe']);
  });

  test('a cancellation for one zone leaves the alert of the other', async () => {
    const cancel = blizzard('cancel', 'Severe', {
      ...replaces('whole'),
      ...zones('NYZ001'),
      messageType: 'Cancel',
      minutes: { sent: -20 },
    });
    serveAt(north, cancel);
    expect(await seenAt(north)).toEqual([]);
    expect(await seenAt(south)).toEqual(['whole severe']);
    // An older answer, without the cancellation.
    serveAt(north, blizzard('whole', 'Severe', zones('NYZ001', 'NYZ002')));
    expect(await seenAt(north)).toEqual([]);
    expect(await seenAt(south)).toEqual(['whole severe']);
  });

  test('a part is the alert that people acknowledged, unless it is graver', async () => {
    const { id } = (await listAt(north))[0]!;
    await ann.call(acknowledgeAlert, { params: { id } });
    const update = { ...replaces('whole'), messageType: 'Update', minutes: { sent: -20 } };
    serveAt(north, blizzard('north', 'Severe', { ...update, ...zones('NYZ001') }));
    serveAt(south, blizzard('south', 'Extreme', { ...update, ...zones('NYZ002') }));
    expect(await polledAt(north)).toMatchObject([{ id, is_acknowledged: true }]);
    expect(await polledAt(south)).toMatchObject([{ id, is_acknowledged: false }]);
    // The first message is deleted a day after its end; the alert goes on.
    const rows = api.db.collection('emergency_alerts');
    await rows.updateOne({ alert_id: named('whole') }, { $set: { expires_at: new Date(0) } });
    const spare = await spareServices(api);
    await runAlertsJob(spare.services.db);
    await spare.close();
    expect(await rows.countDocuments({ alert_id: named('whole') })).toBe(0);
    expect(await listAt(north)).toMatchObject([{ id, is_acknowledged: true }]);
    await ann.call(acknowledgeAlert, { params: { id }, body: { severity: 'extreme' } });
    expect(await listAt(south)).toMatchObject([{ id, is_acknowledged: true }]);
  });

  test('tells the people of each zone what changed there', async () => {
    const streams = [];
    for (const [name, place] of [
      ['north', north],
      ['south', south],
    ] as const) {
      const person = await api.as(`${name}@example.com`);
      await makeProfile(person);
      streams.push(await listen(api.origin, person));
      await person.call(reportLocation, { body: place });
    }
    const [above, below] = streams as [(typeof streams)[number], (typeof streams)[number]];
    const update = { ...replaces('whole'), messageType: 'Update', minutes: { sent: -20 } };
    serveAt(south, blizzard('worse', 'Extreme', { ...update, ...zones('NYZ002') }));
    const { id } = (await polledAt(south))[0]!;
    expect((await below.next('alert')).alert).toMatchObject({ id, alert_id: named('worse') });
    serveAt(
      north,
      blizzard('over', 'Severe', { ...update, ...zones('NYZ001'), messageType: 'Cancel' }),
    );
    await polledAt(north);
    expect(await above.next('alert_over')).toEqual({ type: 'alert_over', id });
    // The part that goes on in the south is not told in the north.
    expect(JSON.stringify(above.events)).not.toContain(named('worse'));
    for (const stream of streams) stream.close();
  });
});

test('three issues of one event are one alert: the last one, or a graver one', async () => {
  const issue = (n: number, change: object = {}) =>
    cap(`issue ${n}`, { event: 'Dense Fog Advisory', minutes: { sent: n - 30 }, ...change });
  serveAlerts(issue(2), issue(0), issue(1));
  expect(await listAt()).toMatchObject([{ alert_id: 'issue 2' }]);
  await aMinuteLater();
  serveAlerts(issue(2), issue(0, { severity: 'Extreme' }), issue(3, { severity: 'Extreme' }));
  expect(await listAt()).toMatchObject([{ alert_id: 'issue 3' }]);
  // Two dangers may have one name.
  const danger = { category: 'Safety', event: 'Civil Emergency Message' };
  await aMinuteLater();
  serveAlerts(cap('gas', danger), cap('water', danger));
  expect((await listAt()).map(({ alert_id }) => alert_id).toSorted()).toEqual(['gas', 'water']);
});

test('follows a redirect of the weather service', async () => {
  answer = {
    status: 301,
    headers: { location: `/alerts/active?status=actual&point=moved&at=${here.latitude}` },
  };
  answers.set('moved', collection([cap('behind a redirect')]));
  expect(await listAt()).toMatchObject([{ alert_id: 'behind a redirect' }]);
  expect(service.asked).toHaveLength(2);
  expect(service.asked[1]?.headers['user-agent']).toBe(
    '(leashwise.example, ops@leashwise.example)',
  );
});

test('rows of the previous version end or go on, whatever it merged into them', async () => {
  serveAlerts(cap('now'));
  const [{ id } = { id: '' }] = await listAt();
  const rows = api.db.collection<{ _id: string }>('emergency_alerts');
  // A row of the previous version: a chain with all of its ids, ended by a cancellation for another zone.
  await rows.updateOne(
    { _id: id },
    {
      $set: { alert_ids: ['before', 'now', 'still here'], is_active: false },
      $unset: { event_id: '', references: '', vtec: '' },
    },
  );
  await aMinuteLater();
  serveAlerts(cap('now'), cap('still here', { event: 'Wind Advisory' }));
  expect((await listAt()).map(({ alert_id }) => alert_id).toSorted()).toEqual([
    'now',
    'still here',
  ]);
  expect((await listAt()).find(({ alert_id }) => alert_id === 'now')?.id).toBe(id);
  await aMinuteLater();
  serveAlerts(cap('later', { ...refersTo('now'), minutes: { sent: -1 } }));
  expect(await listAt()).toMatchObject([{ id, alert_id: 'later' }]);
});

test('keeps the previous alerts while the weather service fails', async () => {
  serveAlerts(cap('before'));
  await listAt();
  const failures: (Emulated | null)[] = [{ status: 500 }, { body: '<html>' }, null];
  for (const failure of failures) {
    await aMinuteLater();
    answer = failure;
    expect(await titles()).toEqual(['Severe Thunderstorm Warning']);
  }
  expect(service.asked).toHaveLength(1 + failures.length);
});

test('notifies users located in the cell', async () => {
  const bob = await api.as('bob@example.com');
  await makeProfile(bob);
  const stream = await listen(api.origin, bob);
  await bob.call(reportLocation, { body: here });
  serveAlerts(cap('told'));
  await listAt();
  const { alert } = await stream.next('alert');
  expect(alert).toMatchObject({ alert_id: 'told', user_id: bob.user.id, is_acknowledged: false });
  stream.close();
});

test('pushes a severe alert to the people of its cell once, as long as it holds there', async () => {
  serveAlerts(cap('pushed', { severity: 'Extreme', description: 'Hail.' }));
  const [{ id } = { id: '' }] = await listAt();
  const spare = await spareServices(api);
  const { db, env } = spare.services;
  const notices: { subject: string; tag: string; user_id: string }[] = [];
  const push = {
    async *subscribers() {
      yield ['inside', 'outside'];
    },
    notify: async (notice: (typeof notices)[number]) => void notices.push(notice),
  };
  const broadcaster = createAlertBroadcaster(
    { ...spare.services, push, events: { userIds: () => [] } } as never,
    async (ids) =>
      ids.map((userId) => ({
        userId,
        ...here,
        latitude: here.latitude + (userId === 'outside' ? 0.02 : 0.001),
      })),
  );
  const cell = `${here.latitude.toFixed(2)},-100.00`;
  // As on another node, which has announced nothing yet.
  await api.db.collection('nws_cells').updateMany({}, { $unset: { announced: '' } });
  await broadcaster.announceCell(cell);
  await broadcaster.announceCell(cell);
  expect(notices).toMatchObject([{ user_id: 'inside', tag: `alert:${id}` }]);
  const message = { topic: 'alert', ...notices[0] } as never;
  const composed = () => composePush({ db, env }, message, {} as never);
  expect(await composed()).toMatchObject({
    title: 'Severe Thunderstorm Warning',
    body: 'Hail.',
    is_urgent: true,
  });
  await aMinuteLater();
  serveAlerts();
  await listAt();
  expect(await composed()).toBeNull();
  await spare.close();
});

test('limits the cells that one user can request, without delaying others', async () => {
  const spare = await spareServices(api);
  const limiter = createLimiters(spare.services.db, 1);
  const bob = { userId: 'bob', latitude: 45.05, longitude: -90.05 };
  const watch = watchNws(
    { ...spare.services, limiter },
    { userAgent: 'a test', url: service.url },
    () => [bob],
    { announceCell: async () => {} },
  );
  for (let place = 0; place < 220; place += 1)
    await watch.look('mallory', { latitude: 30 + place * 0.02, longitude: -95 });
  expect(service.asked).toHaveLength(30);
  service.asked.length = 0;
  await watch.lookAll();
  // Several are requested concurrently, in no particular order.
  const points = service.asked.map(({ url }) => url.searchParams.get('point'));
  expect(points).toHaveLength(2);
  expect(new Set(points)).toEqual(new Set(['34.38,-95', '45.05,-90.05']));
  await spare.close();
});

test('honors Retry-After when the weather service limits requests', async () => {
  answer = { status: 429, headers: { 'retry-after': '3600' } };
  expect(await titles()).toEqual([]);
  serveAlerts(cap('later'));
  await aMinuteLater();
  expect(await titles()).toEqual([]);
  expect(service.asked).toHaveLength(1);
});
