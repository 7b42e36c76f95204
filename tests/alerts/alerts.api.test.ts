import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest';
import {
  createAlert,
  deactivateAlert,
  getAlertReach,
  listAdminAlerts,
  type AdminAlert,
} from '#shared/alerts/admin-contract.ts';
import { acknowledgeAlert, listAlerts } from '#shared/alerts/contract.ts';
import type { Place } from '#shared/place.ts';
import { reportLocation } from '#shared/proximity/contract.ts';
import { MINUTE_MS } from '#shared/time.ts';
import { readWeather } from '#shared/weather/contract.ts';
import { positions } from '../../api/features/proximity/collections.ts';
import { startTestApi, type TestApi, type TestPerson } from '../api.ts';
import { listen } from '../events/listen.ts';
import { makeProfile } from '../factories.ts';
import { expectRefused } from '../refusals.ts';

let api: TestApi;
let admin: TestPerson;
let ann: TestPerson;
let bob: TestPerson;
beforeAll(async () => {
  api = await startTestApi(inject('mongodbUri'));
  admin = await api.asAdmin();
  [ann, bob] = [await api.as('ann@example.com'), await api.as('bob@example.com')];
});
afterAll(() => api.close());

// Each test has its own place, far from the alerts of the others.
let here: Place = { latitude: 10, longitude: -170 };
beforeEach(() => {
  here = { ...here, longitude: here.longitude + 5 };
});
const milesNorth = (miles: number): Place => ({ ...here, latitude: here.latitude + miles / 69.17 });

const fields = () => ({
  alert_type: 'public_safety' as const,
  severity: 'severe' as const,
  title: 'Gas leak',
  description: 'Keep away from the park.',
  affected_latitude: here.latitude,
  affected_longitude: here.longitude,
  radius_miles: 10,
});
async function issue(change: object = {}): Promise<AdminAlert> {
  return (await admin.call(createAlert, { body: { ...fields(), ...change } })).alert;
}
const of = async (person: TestPerson, place = here) =>
  (
    await person.call(listAlerts, {
      query: { latitude: String(place.latitude), longitude: String(place.longitude) },
    })
  ).alerts;

describe('an alert', () => {
  test('lists an alert to everyone within its radius', async () => {
    const made = await issue();
    expect(made).toMatchObject({
      ...fields(),
      alert_id: expect.stringMatching(/^ALERT-/),
      instructions: null,
      radius_miles: 10,
      expires_at: null,
      is_active: true,
      source: 'admin',
    });
    const { source: _source, created_at: _created, near: _near, ...issued } = made;
    expect(await of(ann, milesNorth(9.9))).toEqual([
      { ...issued, user_id: ann.user.id, is_acknowledged: false, acknowledged_at: null },
    ]);
    expect(await of(ann, milesNorth(10.2))).toEqual([]);
    const { alerts } = await bob.call(readWeather, { body: here });
    expect(alerts?.map(({ id }) => id)).toEqual([made.id]);
  });

  test('an alert can reach a hundred miles', async () => {
    const { id } = await issue({ radius_miles: 100 });
    expect((await of(ann, milesNorth(-99.5))).map((alert) => alert.id)).toEqual([id]);
    expect((await of(ann, milesNorth(100.5))).map((alert) => alert.id)).toEqual([]);
  });

  test('an alert is listed from its start to its end', async () => {
    const hour = 3_600_000;
    const soon = new Date(Date.now() + hour).toISOString();
    await issue({ starts_at: soon, expires_at: new Date(Date.now() + 2 * hour).toISOString() });
    const ended = await issue({ expires_at: soon });
    expect((await of(ann)).map(({ id }) => id)).toEqual([ended.id]);
    await api.db
      .collection<{ _id: string }>('emergency_alerts')
      .updateOne({ _id: ended.id }, { $set: { expires_at: new Date(Date.now() - 1) } });
    expect(await of(ann)).toEqual([]);
  });

  test('lists alerts by severity', async () => {
    for (const severity of ['minor', 'extreme', 'moderate', 'severe']) await issue({ severity });
    expect((await of(ann)).map(({ severity }) => severity)).toEqual([
      'extreme',
      'severe',
      'moderate',
      'minor',
    ]);
  });

  test('refuses to list alerts without a valid position', async () => {
    const ask = (query: object) => ann.call(listAlerts, { query: query as never });
    await expectRefused(ask({}), 400, { error: 'Required' });
    await expectRefused(ask({ latitude: '', longitude: '1' }), 400, { code: 'invalid_input' });
    await expectRefused(ask({ latitude: '91', longitude: '1' }), 400, { error: 'Invalid input' });
  });
});

describe('acknowledging an alert', () => {
  test('an acknowledgment applies to one user and keeps its first time', async () => {
    const { id } = await issue();
    const first = await ann.call(acknowledgeAlert, { params: { id }, idempotencyKey: 'seen' });
    expect(await of(ann)).toMatchObject([{ is_acknowledged: true, ...first }]);
    expect(await of(bob)).toMatchObject([{ is_acknowledged: false, acknowledged_at: null }]);
    await wait(5);
    const acknowledge = (idempotencyKey?: string) =>
      ann.call(acknowledgeAlert, { params: { id }, idempotencyKey });
    expect(await acknowledge('seen')).toEqual(first);
    expect(await acknowledge()).toEqual(first);
  });

  test('an alert that becomes more severe is unacknowledged again', async () => {
    const { id } = await issue({ severity: 'moderate' });
    await ann.call(acknowledgeAlert, { params: { id } });
    await api.db
      .collection<{ _id: string }>('emergency_alerts')
      .updateOne({ _id: id }, { $set: { severity: 'extreme' } });
    expect(await of(ann)).toMatchObject([{ is_acknowledged: false, acknowledged_at: null }]);
    await ann.call(acknowledgeAlert, { params: { id } });
    expect(await of(ann)).toMatchObject([{ is_acknowledged: true }]);
  });

  test('acknowledging names the severity seen, so a more severe alert stays unacknowledged', async () => {
    const { id } = await issue({ severity: 'moderate' });
    const severityIs = (severity: string) =>
      api.db
        .collection<{ _id: string }>('emergency_alerts')
        .updateOne({ _id: id }, { $set: { severity } });
    const acknowledge = (severity?: 'minor' | 'moderate' | 'extreme') =>
      ann.call(acknowledgeAlert, { params: { id }, body: severity && { severity } });
    await severityIs('extreme');
    const first = await acknowledge('moderate');
    expect(await of(ann)).toMatchObject([{ is_acknowledged: false, acknowledged_at: null }]);
    await severityIs('moderate');
    expect(await of(ann)).toMatchObject([{ is_acknowledged: true, ...first }]);

    // A severity above the actual one is ignored, and an older acknowledgment changes nothing.
    await acknowledge('extreme');
    await acknowledge('minor');
    expect(await of(ann)).toMatchObject([{ is_acknowledged: true, ...first }]);
    await severityIs('extreme');
    expect(await of(ann)).toMatchObject([{ is_acknowledged: false }]);
    await acknowledge('extreme');
    expect(await of(ann)).toMatchObject([{ is_acknowledged: true }]);
    await expectRefused(acknowledge('dreadful' as never), 400, { code: 'invalid_input' });
  });

  test('answers 404 when acknowledging an unknown alert', () =>
    expectRefused(ann.call(acknowledgeAlert, { params: { id: 'nothing' } }), 404, {
      error: 'Alert not found',
      code: 'not_found',
    }));
});

describe('alerts of an admin', () => {
  const create = (body: object) => admin.call(createAlert, { body: body as never });

  test('an alert requires a type, severity, texts, and a place', async () => {
    await expectRefused(create({}), 400, {
      fields: {
        alert_type: 'Required',
        severity: 'Required',
        title: 'Required',
        description: 'Required',
        affected_latitude: 'Required',
        affected_longitude: 'Required',
        radius_miles: 'Required',
      },
    });
  });

  test.each<[string, object, string]>([
    ['alert_type', { alert_type: 'party' }, 'Invalid input'],
    ['severity', { severity: 'dreadful' }, 'Invalid input'],
    ['title', { title: '  ' }, 'Required'],
    ['title', { title: 'x'.repeat(201) }, 'Invalid input'],
    ['description', { description: 'x'.repeat(1001) }, 'Invalid input'],
    ['instructions', { instructions: 'x'.repeat(501) }, 'Invalid input'],
    ['affected_latitude', { affected_latitude: 90.01 }, 'Invalid input'],
    ['affected_longitude', { affected_longitude: -180.01 }, 'Invalid input'],
    ['radius_miles', { radius_miles: 0.05 }, 'Invalid input'],
    ['radius_miles', { radius_miles: 100.1 }, 'Invalid input'],
    ['starts_at', { starts_at: 'tomorrow' }, 'Invalid input'],
    ['expires_at', { expires_at: '2001-01-01T00:00:00Z' }, 'Invalid input'],
    [
      'expires_at',
      { starts_at: '2001-01-01T00:00:00Z', expires_at: '2001-01-02T00:00:00Z' },
      'Invalid input',
    ],
  ])('refuses an alert with an invalid %s: %j', async (field, wrong, error) => {
    await expectRefused(create({ ...fields(), ...wrong }), 400, {
      error,
      code: 'invalid_input',
      fields: { [field]: error },
    });
  });

  test('accepts the longest texts and blank optional fields of an alert', async () => {
    const longest = {
      title: 'x'.repeat(200),
      description: 'x'.repeat(1000),
      instructions: 'x'.repeat(500),
      radius_miles: 0.1,
    };
    expect(await issue(longest)).toMatchObject(longest);
    const blank = { alert_id: '', instructions: '', starts_at: '', expires_at: '' };
    expect(await issue({ ...blank, radius_miles: 2.34 })).toMatchObject({
      alert_id: expect.stringMatching(/^ALERT-\S+$/),
      instructions: null,
      expires_at: null,
      radius_miles: 2.3,
    });
  });

  test('creates an alert once per Idempotency-Key and per alert id', async () => {
    const body = { ...fields(), alert_id: 'STORM-7' };
    const first = await admin.call(createAlert, { body, idempotencyKey: 'storm' });
    expect(await admin.call(createAlert, { body, idempotencyKey: 'storm' })).toEqual(first);
    await expectRefused(create(body), 409, {
      error: 'This alert ID already exists',
      code: 'conflict',
      fields: { alert_id: 'This alert ID already exists' },
    });
    const { alerts } = await admin.call(listAdminAlerts);
    expect(alerts.filter(({ alert_id }) => alert_id === 'STORM-7')).toEqual([first.alert]);
  });

  test('lists all alerts to an admin, newest first, and deactivates one permanently', async () => {
    const { id } = await issue();
    expect((await admin.call(listAdminAlerts)).alerts[0]).toMatchObject({ id, is_active: true });
    const deactivate = () => admin.call(deactivateAlert, { params: { id } });
    expect((await deactivate()).alert).toMatchObject({ id, is_active: false });
    expect((await deactivate()).alert).toMatchObject({ id, is_active: false });
    expect(await of(ann)).toEqual([]);
    await expectRefused(admin.call(deactivateAlert, { params: { id: 'nothing' } }), 404, {
      error: 'Alert not found',
    });
  });
});

test('the reach of an alert does not tell where in the area people are', async () => {
  const now = Date.now();
  const { latitude, longitude } = milesNorth(1.5);
  await positions(api.db).insertMany(
    Array.from({ length: 11 }, (_, index) => ({
      _id: `counted ${index}`,
      location: { type: 'Point' as const, coordinates: [longitude, latitude] as [number, number] },
      cell: '',
      at: new Date(now),
      minute: Math.floor(now / MINUTE_MS),
    })),
  );
  const reach = async (place: Place, miles: number) => {
    const at = { latitude: String(place.latitude), longitude: String(place.longitude) };
    return admin.call(getAlertReach, { query: { ...at, radius_miles: String(miles) } });
  };
  // As if they were anywhere within two miles of the center on the grid.
  for (const [miles, radius] of [
    [0, 1.4],
    [0, 1.6],
    [0, 2],
    [0.5, 1.4],
    [-0.5, 1.4],
  ] as const)
    expect(await reach(milesNorth(miles), radius)).toEqual({ people: 10 });
  expect(await reach(here, 1)).toEqual({ people: 0 });
  expect(await reach(milesNorth(10), 1)).toEqual({ people: 0 });
});

describe('users in the area of an alert', () => {
  async function userAt(name: string, place: Place) {
    const person = await api.as(`${name}@example.com`);
    await makeProfile(person);
    const stream = await listen(api.origin, person);
    await person.call(reportLocation, { body: place });
    return { person, stream };
  }

  test('notifies users in the area, and no one else, when an alert starts and ends', async () => {
    const near = await userAt('near', milesNorth(2));
    const far = await userAt('far', milesNorth(30));
    const { id } = await issue();
    const { alert } = await near.stream.next('alert');
    expect(alert).toMatchObject({ id, user_id: near.person.user.id, is_acknowledged: false });
    await admin.call(deactivateAlert, { params: { id } });
    expect(await near.stream.next('alert_over')).toEqual({ type: 'alert_over', id });
    // An event meant for the other user would have arrived before this one.
    const after = (await issue({ affected_latitude: milesNorth(30).latitude })).id;
    expect((await far.stream.next('alert')).alert.id).toBe(after);
    near.stream.close();
    far.stream.close();
  });

  test('notifies users when the start of an alert is reached', async () => {
    const { stream } = await userAt('early', here);
    const { id } = await issue({ starts_at: new Date(Date.now() + 3_600_000).toISOString() });
    const rows = api.db.collection<{ _id: string }>('emergency_alerts');
    await rows.updateOne({ _id: id }, { $set: { starts_at: new Date(Date.now() - 1) } });
    // Due alerts are announced with the next one that is issued, or within half a minute.
    await issue({ affected_latitude: milesNorth(50).latitude });
    expect((await stream.next('alert')).alert.id).toBe(id);
    stream.close();
  });

  test('acknowledging on one device notifies the user’s other devices', async () => {
    const { person, stream } = await userAt('two', here);
    const { id } = await issue();
    expect((await stream.next('alert')).alert.is_acknowledged).toBe(false);
    await person.call(acknowledgeAlert, { params: { id } });
    // Not that it is over: it is still active.
    await expect
      .poll(() =>
        stream.events.flatMap((event) => (event.type === 'alert' ? [event.alert] : [])).at(-1),
      )
      .toMatchObject({ id, is_active: true, is_acknowledged: true });
    await admin.call(deactivateAlert, { params: { id } });
    await person.call(acknowledgeAlert, { params: { id } });
    expect(await stream.next('alert_over')).toEqual({ type: 'alert_over', id });
    stream.close();
  });
});
