import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { auditLog } from '#shared/admin/contract.ts';
import {
  changeAdminHazard,
  changeAdminHazards,
  exportAdminHazards,
  listAdminHazards,
  sanctionHazardAuthor,
} from '#shared/hazards/admin-contract.ts';
import {
  createHazard,
  listHazards,
  reportHazard,
  uploadHazardPhoto,
  voteOnHazard,
  type HazardFields,
} from '#shared/hazards/contract.ts';
import { liftWarning, listAllWarnings } from '#shared/moderation/admin-contract.ts';
import { listWarnings } from '#shared/moderation/contract.ts';
import { getAdminPicture, getPerson } from '#shared/moderation/people-contract.ts';
import { getOverview } from '#shared/overview/contract.ts';
import type { HazardRow } from '../../api/features/hazards/collections.ts';
import { pathOf } from '../../client/platform/http/api-client.ts';
import { startTestApi, type TestApi, type TestPerson } from '../api.ts';
import { picture } from '../authorization/world.ts';
import { makeProfile } from '../factories.ts';
import { expectRefused } from '../refusals.ts';

let api: TestApi;
let admin: TestPerson;
let alex: TestPerson;
let sam: TestPerson;
beforeAll(async () => {
  api = await startTestApi(inject('mongodbUri'));
  admin = await api.asAdmin();
  [alex, sam] = await Promise.all([api.as('alex@example.com'), api.as('sam@example.com')]);
  await Promise.all([makeProfile(alex), makeProfile(sam)]);
});
afterAll(() => api.close());

const HERE = { latitude: 12, longitude: 34 };
const add = async (more: Partial<HazardFields> = {}) =>
  (await alex.call(createHazard, { body: { kind: 'glass', ...HERE, ...more } })).hazard;
const listed = async (query: object) =>
  (await admin.call(listAdminHazards, { query })).hazards.map(({ id }) => id);
const shownIds = async () => {
  const query = { latitude: String(HERE.latitude), longitude: String(HERE.longitude) };
  return (await sam.call(listHazards, { query })).hazards.map(({ id }) => id);
};
const change = (id: string, body: { is_removed: boolean; version?: number; reason?: string }) =>
  admin.call(changeAdminHazard, { params: { id }, body });
const actionsOn = async (subject_id: string) =>
  (await admin.call(auditLog, { query: { subject_id } })).entries.map(({ act }) => act);

test('lists hazards with search, kind, status and order, without who reported them', async () => {
  const bottle = await add({ description: 'A broken bottle' });
  const rex = await add({ kind: 'lost_dog', description: 'Rex, brown' });
  const old = await add({ kind: 'heat' });
  await api.db
    .collection<HazardRow>('hazards')
    .updateOne({ _id: old.id }, { $set: { expires_at: new Date(Date.now() - 1) } });
  expect(await listed({})).toEqual([old.id, rex.id, bottle.id]);
  expect(await listed({ sort: 'oldest' })).toEqual([bottle.id, rex.id, old.id]);
  expect(await listed({ search: 'bott' })).toEqual([bottle.id]);
  expect(await listed({ search: 'lost dog' })).toEqual([rex.id]);
  expect(await listed({ kind: 'lost_dog' })).toEqual([rex.id]);
  expect(await listed({ status: 'expired' })).toEqual([old.id]);
  expect(await listed({ status: 'shown' })).toEqual([rex.id, bottle.id]);
  await sam.call(voteOnHazard, { params: { id: rex.id }, body: { is_there: false } });
  const { hazards } = await admin.call(listAdminHazards, { query: { kind: 'lost_dog' } });
  expect(hazards).toMatchObject([
    { description: 'Rex, brown', denied_count: 0, is_hidden: false, is_removed: false },
  ]);
  expect(JSON.stringify(hazards)).not.toMatch(new RegExp(`${alex.user.id}|latitude`));
});

test('shows all that its author added, also what reports hide from members, but not whose it is', async () => {
  const { call } = alex;
  const ofDog = { dog_name: 'Pepper', contact: '+1 541 555 0100' };
  const dog = await add({ kind: 'lost_dog', description: 'Black', ...ofDog });
  const poison = await add({ kind: 'poison', description: 'An insult' });
  const file = await picture();
  const keyOf = async (id: string) =>
    (await call(uploadHazardPhoto, { params: { id }, file })).hazard.image_key!;
  const [photoOfDog, photoOfPoison] = [await keyOf(dog.id), await keyOf(poison.id)];
  await api.db
    .collection<HazardRow>('hazards')
    .updateOne({ _id: poison.id }, { $set: { reported_user_ids: ['one', 'two', 'three'] } });
  const { hazards } = await admin.call(listAdminHazards, { query: { same_author_as: dog.id } });
  expect(hazards.slice(0, 2)).toMatchObject([
    { id: poison.id, description: 'An insult', dog_name: null, image_key: photoOfPoison },
    { id: dog.id, description: 'Black', ...ofDog, image_key: photoOfDog },
  ]);
  expect(JSON.stringify(hazards)).not.toContain(alex.user.id);
  const address = pathOf(getAdminPicture, { id: photoOfPoison });
  expect((await admin.jar.fetch(`${api.origin}${address}`)).status).toBe(200);
  const table = pathOf(exportAdminHazards, {}, { search: 'pepper' });
  const csv = await (await admin.jar.fetch(`${api.origin}${table}`)).text();
  expect(csv).toContain("Lost dog,Black,Pepper,'+1 541 555 0100,yes,");
});

test('an admin removes a hazard from the members’ list and restores it, with an audit entry each', async () => {
  const { id } = await add({ description: 'Spam' });
  const { hazard } = await change(id, { is_removed: true, version: 0, reason: 'Advertising' });
  expect(hazard).toMatchObject({ is_removed: true, version: 1 });
  expect(await shownIds()).not.toContain(id);
  await expectRefused(sam.call(voteOnHazard, { params: { id }, body: { is_there: true } }), 404, {
    error: 'Hazard not found',
  });
  // A report that waited on a device must not show it again.
  await sam.call(reportHazard, { params: { id } });
  expect(await shownIds()).not.toContain(id);
  expect(await listed({ status: 'removed' })).toEqual([id]);
  await expectRefused(change(id, { is_removed: false, version: 0 }), 409, {
    code: 'edited_meanwhile',
  });
  await change(id, { is_removed: false });
  expect(await shownIds()).toContain(id);
  expect(await actionsOn(id)).toEqual(['hazard.restore', 'hazard.remove']);
  await expectRefused(change('nothing', { is_removed: true }), 404, { error: 'Hazard not found' });
});

test('removes several hazards at once and exports the filtered list', async () => {
  const [one, two] = [await add({ description: 'Bulk, one' }), await add({ description: '=1+1' })];
  const items = [{ id: one.id, version: 0 }, { id: two.id, version: 0 }, { id: 'nothing' }];
  expect(await admin.call(changeAdminHazards, { body: { items, is_removed: true } })).toEqual({
    done: [one.id, two.id],
    skipped: [{ id: 'nothing', why: 'Hazard not found' }],
  });
  const address = pathOf(exportAdminHazards, {}, { status: 'removed' });
  const csv = await (await admin.jar.fetch(`${api.origin}${address}`)).text();
  expect(csv).toContain('Kind,Description,Dog,Contact,Photo,Author,Reported,Expires');
  expect(csv).toContain('"Bulk, one",');
  expect(csv).toContain("'=1+1");
  expect(csv).not.toContain(alex.user.id);
});

test('an admin restores what members hid, and they can’t hide it again', async () => {
  const { id } = await add({ kind: 'other' });
  const rows = api.db.collection<HazardRow>('hazards');
  await rows.updateOne(
    { _id: id },
    { $set: { is_hidden: true, reported_user_ids: ['one', 'two', 'three'] } },
  );
  expect(await shownIds()).not.toContain(id);
  await change(id, { is_removed: false });
  expect(await shownIds()).toContain(id);
  await sam.call(reportHazard, { params: { id } });
  expect(await shownIds()).toContain(id);
});

test('an admin finds all hazards of an author and warns them, without learning who it is', async () => {
  const first = await add();
  const second = await add();
  const other = (await sam.call(createHazard, { body: { kind: 'glass', ...HERE } })).hazard;
  const query = { same_author_as: first.id };
  const { hazards } = await admin.call(listAdminHazards, { query });
  const ids = hazards.map(({ id }) => id);
  expect(ids).toEqual(expect.arrayContaining([first.id, second.id]));
  expect(ids).not.toContain(other.id);
  expect(new Set(hazards.map(({ author_ref }) => author_ref)).size).toBe(1);
  // The town, not the point.
  expect(hazards[0]?.near).toBe('Ar Ruseris, Blue Nile, Sudan');
  expect(hazards[0]).not.toHaveProperty('latitude');
  expect(await listed({ same_author_as: 'nothing' })).toEqual([]);

  const reason = 'Names a person.';
  const body = { warning_type: 'warning', severity: 'minor', reason } as const;
  await admin.call(sanctionHazardAuthor, { params: { id: first.id }, body });
  expect((await alex.call(listWarnings)).warnings).toMatchObject([{ reason }]);
  const { warnings } = await admin.call(listAllWarnings, { query: {} });
  expect(warnings).toMatchObject([{ reason, is_anonymous: true, user: { name: null } }]);
  const ofAlex = { user_id: alex.user.id };
  expect((await admin.call(listAllWarnings, { query: ofAlex })).warnings).toEqual([]);
  const person = await admin.call(getPerson, { params: { id: alex.user.id } });
  expect(person.warnings).toEqual([]);
  const { entries } = await admin.call(auditLog, { query: { subject_id: first.id } });
  expect(entries.map(({ act }) => act)).toContain('hazard.sanction');
  expect(JSON.stringify([warnings, entries])).not.toContain(alex.user.id);

  const { id, version } = warnings[0]!;
  await admin.call(liftWarning, { params: { id }, body: { version } });
  const ofWarning = { query: { subject_id: id } };
  const nameless = { act: 'warning.lift', subject_id: id, subject_name: null };
  expect((await admin.call(auditLog, ofWarning)).entries).toMatchObject([nameless]);
  expect((await admin.call(getOverview)).changes[0]).toMatchObject(nameless);
});
