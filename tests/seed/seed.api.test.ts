import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { listConversations } from '#shared/chat/contract.ts';
import { listCharities } from '#shared/charities/contract.ts';
import { createInvitation, searchUsers } from '#shared/invitations/contract.ts';
import { searchLocations } from '#shared/locations/contract.ts';
import { fillCrowd } from '../../scripts/seed/crowd.ts';
import { fillTown } from '../../scripts/seed/town.ts';
import { startTestApi, type TestApi } from '../api.ts';

const at = { latitude: 51.5, longitude: -0.12 };
const say = () => {};

let api: TestApi;
beforeAll(async () => {
  api = await startTestApi(inject('mongodbUri'));
});
afterAll(() => api.close());

const FILLED = [
  'users',
  'cards',
  'pairs',
  'locations',
  'location_tips',
  'location_visits',
  'messages',
  'charities',
  'advertisements',
  'emergency_alerts',
];
const counts = async () =>
  Object.fromEntries(
    await Promise.all(
      FILLED.map(async (name) => [name, await api.db.collection(name).countDocuments()] as const),
    ),
  );

describe('a town', () => {
  test('has all that its people would have made, and a second filling adds nothing', async () => {
    const settings = { origin: api.origin, owners: 3, seed: 7, at, say };
    await fillTown(settings);
    const filled = await counts();
    for (const name of FILLED)
      expect({ name, is: (filled[name] ?? 0) > 0 }).toEqual({ name, is: true });

    const owner = await api.as('owner-7-1@example.com');
    const { conversations } = await owner.call(listConversations);
    expect(conversations.length).toBeGreaterThan(0);
    const { locations } = await owner.call(searchLocations, {
      query: {
        latitude: String(at.latitude),
        longitude: String(at.longitude),
        include_tips: 'true',
      },
    });
    expect(locations.some(({ tips }) => tips.length > 0)).toBe(true);
    expect((await owner.call(listCharities)).charities).toHaveLength(4);

    await fillTown(settings);
    expect(await counts()).toEqual(filled);
    // A few hundred calls, twice.
  }, 180_000);
});

describe('a crowd', () => {
  const fill = (owners: number) => fillCrowd({ db: api.db, owners, seed: 8, at, say });
  const crowd = async () => {
    const ids = await api.db.collection('users').distinct('_id', { email: /^crowd-8-/ });
    return api.db
      .collection('cards')
      .find({ _id: { $in: ids } })
      .toArray();
  };

  test('is the same again at any size, and is found as people are', async () => {
    await fill(30);
    const small = await crowd();
    await fill(60);
    await fill(60);
    const now = await crowd();
    expect([small.length, now.length]).toEqual([30, 60]);
    const byId = new Map(now.map((card) => [String(card._id), card]));
    for (const card of small) expect(byId.get(String(card._id))).toEqual(card);

    const [host, searcher] = [await api.as('host@example.com'), await api.as('me@example.com')];
    const invited = { invited_email: 'me@example.com' };
    const { invitation } = await host.call(createInvitation, { body: invited });
    const { invitation_code } = invitation;
    const name = String(now.at(-1)?.['display_name']);
    const { users } = await searcher.call(searchUsers, { body: { query: name, invitation_code } });
    expect(users.map(({ display_name }) => display_name)).toContain(name);
  });

  test('may be signed in as', async () => {
    const one = await api.as('crowd-8-0@example.com');
    expect(one.user.has_access).toBe(true);
    expect(await api.db.collection('users').countDocuments({ email: one.user.email })).toBe(1);
  });
});
