import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import type { z } from 'zod';
import { deleteAccount } from '#shared/account/contract.ts';
import { auditLog } from '#shared/admin/contract.ts';
import {
  changeAdminLocation,
  changeAdminLocations,
  changeAdminTip,
  dismissLocationReports,
  editAdminLocation,
  editAdminTip,
  exportAdminLocations,
  getAdminLocation,
  listAdminLocations,
  mergeLocations,
} from '#shared/locations/admin-contract.ts';
import {
  createTip,
  createVisit,
  deleteLocation,
  getLocation,
  reportProblem,
  searchLocations,
  updateLocation,
} from '#shared/locations/contract.ts';
import type { LocationTip, WalkLocation } from '#shared/locations/schemas.ts';
import { listWarnings } from '#shared/moderation/contract.ts';
import { pathOf } from '../../client/platform/http/api-client.ts';
import { startTestApi, type TestApi, type TestPerson } from '../api.ts';
import { expectRefused } from '../refusals.ts';
import { makePlace, north } from './made-places.ts';

let api: TestApi;
let admin: TestPerson;
let alex: TestPerson;
let sam: TestPerson;
beforeAll(async () => {
  api = await startTestApi(inject('mongodbUri'));
  admin = await api.asAdmin();
  [alex, sam] = await Promise.all([api.as('alex@example.com'), api.as('sam@example.com')]);
});
afterAll(() => api.close());

let corner = 0;
const place = (name = 'Green', miles = 0): Promise<WalkLocation> => {
  if (miles === 0) corner += 1;
  return makePlace(alex, { name, ...north({ latitude: 10 + corner, longitude: 5 }, miles) });
};
const addTip = async ({ id }: WalkLocation, title = 'Shade'): Promise<LocationTip> =>
  (await sam.call(createTip, { body: { location_id: id, title, content: 'Oaks.' } })).tip;
const report = (person: TestPerson, { id }: WalkLocation, tip?: LocationTip) =>
  person.call(reportProblem, {
    body: { location_id: id, tip_id: tip?.id, report_type: 'wrong_details', description: 'No.' },
  });
const listed = async (query: object) =>
  (await admin.call(listAdminLocations, { query })).locations.map(({ id }) => id);
const detail = ({ id }: { id: string }) => admin.call(getAdminLocation, { params: { id } });
const isFound = async ({ id, latitude, longitude }: WalkLocation): Promise<boolean> => {
  const query = { latitude: String(latitude), longitude: String(longitude), radius: '0.1' };
  const { locations } = await sam.call(searchLocations, { query });
  return locations.some((location) => location.id === id);
};
const actionsOn = async (subject_id: string) =>
  (await admin.call(auditLog, { query: { subject_id } })).entries.map(({ act }) => act);
const notFound = { error: 'Location not found', code: 'not_found' };

describe('list of locations for admins', () => {
  test('lists public locations, with search, status filter, sort order and paging', async () => {
    const [first, second, third] = [
      await place('Alpha'),
      await place('Beta'),
      await place('Gamma'),
    ];
    const own = { name: 'Delta', latitude: 1, longitude: 1, is_public: false };
    const secret = await makePlace(alex, own);
    expect(await listed({})).toEqual([third.id, second.id, first.id]);
    expect(await listed({ sort: 'oldest', limit: 2 })).toEqual([first.id, second.id]);
    expect(await listed({ search: 'bet' })).toEqual([second.id]);
    expect(await listed({ search: 'delta' })).toEqual([]);
    await expectRefused(detail(secret), 404, notFound);
    const page = await admin.call(listAdminLocations, { query: { limit: 2 } });
    expect(await listed({ limit: 2, cursor: page.next_cursor ?? '' })).toEqual([first.id]);
    await report(sam, second);
    expect(await listed({ status: 'reported' })).toEqual([second.id]);
    expect(await listed({ sort: 'most_reported', limit: 1 })).toEqual([second.id]);
    await admin.call(changeAdminLocation, { params: first, body: { is_active: false } });
    expect(await listed({ status: 'hidden' })).toEqual([first.id]);
    expect(await listed({ status: 'shown' })).toEqual([third.id, second.id]);
    expect(await listed({ status: 'merged' })).toEqual([]);
  });

  test('exports the filtered list as CSV without spreadsheet formulas', async () => {
    const word = `Csv${Date.now()}`;
    const shown = await place(`=1+1 ${word}`);
    const hidden = await place(`Hidden ${word}`);
    await makePlace(sam, { name: `Own ${word}`, latitude: 20, longitude: 20, is_public: false });
    await admin.call(changeAdminLocation, { params: hidden, body: { is_active: false } });
    const csvOf = async (query: Record<string, string>) => {
      const address = `${api.origin}${pathOf(exportAdminLocations, {}, query)}`;
      return (await (await admin.jar.fetch(address)).text()).trim().split('\r\n');
    };
    const [header, ...rows] = await csvOf({ search: word, sort: 'oldest' });
    expect(header).toContain('Name,Description,Type,Address,Latitude,Longitude,Shown');
    expect(rows).toHaveLength(2);
    expect(rows[0]).toMatch(new RegExp(`^'=1\\+1 ${word},.*,${shown.latitude},5,yes,`));
    expect(rows[1]).toContain(`Hidden ${word}`);
    expect(await csvOf({ search: word, status: 'hidden' })).toHaveLength(2);
    expect(await actionsOn('list')).toContain('location.export');
  });
});

test('an admin corrects the texts, type, rules and point of a location', async () => {
  const green = await place('Gren');
  const edit = (body: z.input<typeof editAdminLocation.body & object>) =>
    admin.call(editAdminLocation, { params: green, body });
  const moved = north(green, 5);
  const { location } = await edit({
    name: 'Green',
    address: '1 Bark Street',
    location_type: 'forest',
    leash_required: true,
    ...moved,
    version: 0,
  });
  expect(location).toEqual({
    ...location,
    name: 'Green',
    description: green.description,
    address: '1 Bark Street',
    location_type: 'forest',
    leash_required: true,
    parking_available: green.parking_available,
    ...moved,
    version: 1,
  });
  expect([await isFound(green), await isFound(location)]).toEqual([false, true]);
  expect(await listed({ search: 'bark' })).toEqual([green.id]);
  const { entries } = await admin.call(auditLog, { query: { subject_id: green.id } });
  expect(entries).toMatchObject([
    { act: 'location.update', before: { name: 'Gren' }, after: { name: 'Green' } },
  ]);
  await expectRefused(edit({ name: 'Red', version: 0 }), 409, { code: 'edited_meanwhile' });
  for (const [body, field] of [
    [{ name: ' ' }, 'name'],
    [{ latitude: 91, longitude: 0 }, 'latitude'],
    [{ latitude: 10 }, 'latitude'],
    [{ description: 'x'.repeat(501) }, 'description'],
  ] as const)
    await expectRefused(edit(body), 400, { fields: { [field]: expect.any(String) } });
  expect((await detail(green)).location).toEqual(location);

  const secret = await makePlace(alex, {
    name: 'Own',
    latitude: 1,
    longitude: 1,
    is_public: false,
  });
  await expectRefused(
    admin.call(editAdminLocation, { params: secret, body: { name: 'Open' } }),
    404,
    notFound,
  );
  const copy = await place();
  await admin.call(mergeLocations, { params: copy, body: { into_id: green.id } });
  await expectRefused(
    admin.call(editAdminLocation, { params: copy, body: { name: 'Copy' } }),
    409,
    { code: 'merged' },
  );
  await admin.call(changeAdminLocation, { params: green, body: { is_active: false } });
});

describe('review of a location', () => {
  test('hiding a location settles its reports, and an admin can show it again', async () => {
    const green = await place();
    await report(sam, green);
    await report(alex, green);
    const { location, reports } = await detail(green);
    expect(location).toMatchObject({ open_reports: 2, version: 0 });
    expect(reports).toMatchObject([
      { tip_id: null, report_type: 'wrong_details', description: 'No.' },
      { tip_id: null },
    ]);
    const body = { is_active: false, version: 0, reason: 'It is a car park.' };
    const hidden = await admin.call(changeAdminLocation, { params: green, body });
    expect(hidden.location).toMatchObject({ is_active: false, open_reports: 0, version: 1 });
    expect(await isFound(green)).toBe(false);
    await expectRefused(alex.call(getLocation, { params: green }), 404, notFound);
    expect((await detail(green)).reports).toEqual([]);
    // Another admin, who has an older version.
    await expectRefused(admin.call(changeAdminLocation, { params: green, body }), 409, {
      code: 'edited_meanwhile',
    });
    await admin.call(changeAdminLocation, { params: green, body: { is_active: true } });
    expect(await isFound(green)).toBe(true);
    expect(await actionsOn(green.id)).toEqual(['location.restore', 'location.hide']);
  });

  test('hides several locations at once and skips those with an outdated version', async () => {
    const [one, two] = [await place(), await place()];
    const items = [{ id: one.id, version: 0 }, { id: two.id, version: 7 }, { id: 'nothing' }];
    const body = { items, is_active: false };
    expect(await admin.call(changeAdminLocations, { body })).toEqual({
      done: [one.id],
      skipped: [
        { id: two.id, why: 'Another admin changed this in the meantime' },
        { id: 'nothing', why: 'Location not found' },
      ],
    });
  });

  test('dismissing the reports of a location leaves it visible', async () => {
    const green = await place();
    const tip = await addTip(green);
    await report(alex, green);
    await report(alex, green, tip);
    const params = { id: green.id };
    const { location } = await admin.call(dismissLocationReports, { params, body: {} });
    expect(location).toMatchObject({ open_reports: 0, is_active: true });
    expect(await actionsOn(green.id)).toEqual(['location.dismiss-reports']);
    await expectRefused(
      admin.call(dismissLocationReports, { params: { id: 'nothing' }, body: {} }),
      404,
      notFound,
    );
  });
});

describe('review of a tip', () => {
  test('hiding a tip updates the tip count of its location, and an admin can show it again', async () => {
    const green = await place();
    const tip = await addTip(green);
    await addTip(green, 'Sun');
    await report(alex, green, tip);
    expect((await detail(green)).location.open_reports).toBe(1);
    const hide = { is_active: false };
    const { tip: hidden } = await admin.call(changeAdminTip, { params: tip, body: hide });
    expect(hidden).toMatchObject({ is_active: false, version: 1 });
    const read = await alex.call(getLocation, { params: green });
    expect(read.location).toMatchObject({ tip_count: 1, tips: [{ title: 'Sun' }] });
    const { location, tips, reports } = await detail(green);
    expect(location).toMatchObject({ open_reports: 0, tip_count: 1 });
    expect({ tips: tips.length, reports }).toEqual({ tips: 2, reports: [] });
    await admin.call(changeAdminTip, { params: tip, body: { is_active: true, version: 1 } });
    expect((await alex.call(getLocation, { params: green })).location.tip_count).toBe(2);
    expect(await actionsOn(tip.id)).toEqual(['location-tip.restore', 'location-tip.hide']);
    await expectRefused(
      admin.call(changeAdminTip, { params: { id: 'nothing' }, body: hide }),
      404,
      { error: 'Tip not found' },
    );
  });
});

test('an admin corrects a tip, whose author stays and isn’t notified, and members see it at once', async () => {
  const green = await place();
  const tip = await addTip(green, 'Parkng');
  const edit = (body: z.input<typeof editAdminTip.body & object>, params: { id: string } = tip) =>
    admin.call(editAdminTip, { params, body });
  const { tip: edited } = await edit({ title: 'Parking', tip_type: 'parking', version: 0 });
  expect(edited).toMatchObject({
    title: 'Parking',
    tip_type: 'parking',
    content: tip.content,
    creator_user_id: tip.creator_user_id,
    version: 1,
  });
  const { location } = await alex.call(getLocation, { params: green });
  expect(location.tips).toMatchObject([{ title: 'Parking', tip_type: 'parking' }]);
  const { entries } = await admin.call(auditLog, { query: { subject_id: tip.id } });
  expect(entries).toMatchObject([
    {
      act: 'location-tip.update',
      before: { title: 'Parkng' },
      after: { title: 'Parking', tip_type: 'parking' },
    },
  ]);
  expect((await sam.call(listWarnings)).warnings).toEqual([]);
  expect(await api.db.collection('push_queue').countDocuments()).toBe(0);
  await expectRefused(edit({ content: 'Mine', version: 0 }), 409, { code: 'edited_meanwhile' });
  await expectRefused(edit({ title: ' ' }), 400, {
    fields: { title: expect.any(String) as string },
  });
  await expectRefused(edit({ title: 'Any' }, { id: 'nothing' }), 404, { error: 'Tip not found' });
});

describe('merge of duplicate locations', () => {
  test('merging a location into another moves its tips and visits', async () => {
    const green = await place('Green Park');
    const twin = await makePlace(alex, {
      name: 'Verdant Park',
      ...north({ latitude: 10 + corner, longitude: 5 }, 0.1),
    });
    await addTip(green, 'Here');
    await addTip(twin, 'There');
    await sam.call(createVisit, { body: { location_id: green.id, rating: 2 } });
    await sam.call(createVisit, { body: { location_id: twin.id, rating: 2 } });
    await alex.call(createVisit, { body: { location_id: twin.id, rating: 5 } });
    await report(sam, twin);
    const { near } = await detail(twin);
    expect(near).toEqual([{ id: green.id, name: 'Green Park', meters: 161 }]);

    const body = { into_id: green.id };
    const { location } = await admin.call(mergeLocations, { params: twin, body });
    expect(location).toMatchObject({
      id: green.id,
      visit_count: 2,
      average_rating: 3.5,
      tip_count: 2,
      open_reports: 0,
    });
    expect(await isFound(twin)).toBe(false);
    expect(await listed({ status: 'merged' })).toContain(twin.id);
    // A device that has the old id finds the merged location.
    const read = await sam.call(getLocation, { params: twin });
    expect(read.location).toMatchObject({ id: green.id, own_rating: 2 });
    const { visit } = await sam.call(createVisit, { body: { location_id: twin.id } });
    expect(visit.location_id).toBe(green.id);
    expect(await actionsOn(twin.id)).toEqual(['location.merge']);

    await expectRefused(
      admin.call(changeAdminLocation, { params: twin, body: { is_active: true } }),
      409,
      { code: 'merged' },
    );
    const other = await place('Elsewhere');
    for (const [from, into] of [
      [green, green],
      [green, twin],
      [twin, other],
    ] as const)
      await expectRefused(
        admin.call(mergeLocations, { params: from, body: { into_id: into.id } }),
        409,
        { error: 'These locations can’t be merged' },
      );
    await expectRefused(
      admin.call(mergeLocations, { params: other, body: { into_id: 'nothing' } }),
      404,
      notFound,
    );
    // The creator of the merged location can't change its target, and the old id still leads there.
    const words = { name: 'Mine', latitude: 1, longitude: 1 };
    await expectRefused(alex.call(updateLocation, { params: twin, body: words }), 404, notFound);
    expect(await alex.call(deleteLocation, { params: twin })).toEqual({ is_removed: true });
    expect((await sam.call(getLocation, { params: green })).location.name).toBe('Green Park');
    // Merging again, as after a crash, changes nothing.
    const again = await admin.call(mergeLocations, { params: twin, body });
    expect(again.location).toMatchObject({ visit_count: 2, tip_count: 2 });
  });

  test('the id of a merged location leads to its target after its creator leaves', async () => {
    const green = await place('Green Park');
    const lee = await api.as('lee@example.com');
    const twin = await makePlace(lee, { name: 'Twin Park', latitude: 10 + corner, longitude: 5 });
    await admin.call(mergeLocations, { params: twin, body: { into_id: green.id } });
    await lee.call(deleteAccount, { body: { confirmation: 'delete my account' } });
    expect((await sam.call(getLocation, { params: twin })).location.id).toBe(green.id);
  });

  test('merging combines the visits that a user made to both locations on one day', async () => {
    const green = await place('Green Park');
    const twin = await place('Twin Park');
    const visit = (person: TestPerson, { id }: WalkLocation, said: object = {}) =>
      person.call(createVisit, { body: { location_id: id, ...said } });
    // Sam rated only the location that is merged away. Alex rated both, the remaining one last.
    const at = { latitude: twin.latitude, longitude: twin.longitude };
    await visit(sam, twin, { rating: 4, notes: 'Muddy.', ...at });
    await visit(sam, green);
    await visit(alex, twin, { rating: 1, notes: 'Closed.' });
    await visit(alex, green, { rating: 3 });
    const params = { id: twin.id };
    const { location } = await admin.call(mergeLocations, { params, body: { into_id: green.id } });
    expect(location).toMatchObject({ visit_count: 2, average_rating: 3.5 });
    const visits = api.db.collection('location_visits');
    expect(
      await visits.find({ location_id: green.id }).sort({ rating: 1 }).toArray(),
    ).toMatchObject([
      { user_id: alex.user.id, rating: 3, notes: 'Closed.', latitude: null },
      { user_id: sam.user.id, rating: 4, notes: 'Muddy.', ...at },
    ]);
    expect(await visits.countDocuments({ location_id: twin.id })).toBe(0);
  });
});
