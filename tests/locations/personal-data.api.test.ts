import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { deleteAccount } from '#shared/account/contract.ts';
import {
  createTip,
  createVisit,
  getLocation,
  reportProblem,
  searchLocations,
  voteForTip,
} from '#shared/locations/contract.ts';
import { unzip } from '../account/unzip.ts';
import { startTestApi, type TestApi } from '../api.ts';
import { makeProfile } from '../factories.ts';
import { makePlace } from './made-places.ts';

let api: TestApi;
beforeAll(async () => {
  api = await startTestApi(inject('mongodbUri'));
});
afterAll(() => api.close());

const here = { latitude: 12, longitude: 34 };

test('the export has a user’s locations, tips, visits and reports, and deleting the account removes them', async () => {
  const alex = await api.as('alex@example.com');
  const sam = await api.as('sam@example.com');
  await makeProfile(alex);
  const green = await makePlace(sam, { name: 'Green', ...here });
  const [own, shared] = [
    await makePlace(alex, { name: 'Own Corner', ...here }),
    await makePlace(alex, { name: 'Shared Field', ...here }),
  ];
  await sam.call(createVisit, { body: { location_id: shared.id, rating: 2 } });
  const said = { location_id: green.id, title: 'Shade', content: 'Oaks.' };
  const { tip: theirs } = await sam.call(createTip, { body: said });
  const { tip: mine } = await alex.call(createTip, { body: { ...said, title: 'Sun' } });
  await sam.call(voteForTip, { params: { id: mine.id }, body: { is_helpful: true } });
  await alex.call(voteForTip, { params: { id: theirs.id }, body: { is_helpful: true } });
  await alex.call(createVisit, { body: { location_id: green.id, rating: 5, notes: 'Calm.' } });
  await alex.call(reportProblem, { body: { location_id: green.id, report_type: 'spam' } });

  const response = await alex.jar.fetch(`${api.origin}/api/account/export`);
  const files = unzip(Buffer.from(await response.arrayBuffer()));
  expect(JSON.parse(files.get('locations.json')?.toString() ?? 'null')).toMatchObject({
    locations: [{ id: own.id }, { id: shared.id }],
    tips: [{ id: mine.id, title: 'Sun' }],
    visits: [{ location_id: green.id, rating: 5, notes: 'Calm.' }],
    reports: [{ location_id: green.id, report_type: 'spam' }],
    helpful_tip_ids: [theirs.id],
  });

  await alex.call(deleteAccount, { body: { confirmation: 'delete my account' } });
  const query = { latitude: '12', longitude: '34' };
  const { locations } = await sam.call(searchLocations, { query });
  expect(locations.map(({ name }) => name).toSorted()).toEqual(['Green', 'Shared Field']);
  expect(locations.find(({ id }) => id === shared.id)).toMatchObject({
    creator_user_id: null,
    visit_count: 1,
    average_rating: 2,
  });
  const { location } = await sam.call(getLocation, { params: { id: green.id } });
  expect(location).toMatchObject({
    visit_count: 0,
    average_rating: null,
    tip_count: 1,
    tips: [{ id: theirs.id, is_helpful_count: 0 }],
  });
});
