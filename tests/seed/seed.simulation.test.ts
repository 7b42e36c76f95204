import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { readSharing } from '#shared/account/sharing.ts';
import { listCharities } from '#shared/charities/contract.ts';
import { listConversations, listMessages, sendMessage } from '#shared/chat/contract.ts';
import { readSegment } from '#shared/chat/document.ts';
import { covers } from '#shared/chat/rules.ts';
import { listFriends } from '#shared/friends/contract.ts';
import { readContacts } from '#shared/friends/document.ts';
import { withDays } from '#shared/friends/friend-card.ts';
import { createInvitation, listInvitations, searchUsers } from '#shared/invitations/contract.ts';
import { searchLocations } from '#shared/locations/contract.ts';
import { readAcceptance } from '#shared/moderation/acceptance.ts';
import { answerPlannedWalk, listPlannedWalks } from '#shared/planned-walks/contract.ts';
import { saveProfile } from '#shared/profile/contract.ts';
import { readCard } from '#shared/profile/document.ts';
import type { CardRow, MessageRow, UserRow } from '#shared/server/collections.ts';
import type { ThreadRow } from '../../api/features/chat/collections.ts';
import type { SearchInvitationRow } from '../../api/features/invitations/collections.ts';
import { locations } from '../../api/features/locations/collections.ts';
import { recount } from '../../api/features/locations/location-stats.ts';
import { runPlacesJob } from '../../api/features/locations/run-places-job.ts';
import { plannedWalks } from '../../api/features/planned-walks/collections.ts';
import type { PairRow } from '../../api/features/relationships/collections.ts';
import { viewOf } from '../../api/features/relationships/relationship.ts';
import { openDatabase } from '../../api/platform/database.ts';
import { emptyRows } from '../../scripts/seed/rows.ts';
import { seedCrowd } from '../../scripts/seed/seed-bulk.ts';
import { seedTown } from '../../scripts/seed/seed-via-api.ts';
import type { DocumentRow } from '../../sync-server/core/database.ts';
import { startTestApi, type TestApi } from '../api.ts';

const at = { latitude: 51.5, longitude: -0.12 };
const log = () => {};

const FILLED = [
  'users',
  'cards',
  'pairs',
  'locations',
  'location_tips',
  'location_visits',
  'messages',
  'planned_walks',
  'charities',
  'advertisements',
  'emergency_alerts',
];
describe('a town', () => {
  let api: TestApi;
  beforeAll(async () => {
    api = await startTestApi(inject('mongodbUri'));
  });
  afterAll(() => api.close());

  const counts = async () =>
    Object.fromEntries(
      await Promise.all(
        FILLED.map(async (name) => [name, await api.db.collection(name).countDocuments()] as const),
      ),
    );

  test('filling a town creates data of all kinds, and filling it again adds nothing', async () => {
    const settings = { origin: api.origin, owners: 3, seed: 7, at, log };
    await seedTown(settings);
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

    await seedTown(settings);
    expect(await counts()).toEqual(filled);
    // A few hundred calls, twice.
  }, 180_000);
});

describe('a crowd', () => {
  // A separate database: background jobs would change the rows of the town meanwhile.
  let api: TestApi;
  beforeAll(async () => {
    api = await startTestApi(inject('mongodbUri'));
  });
  afterAll(() => api.close());

  const now = new Date(Date.now() - 60_000);
  const fill = (owners: number) => seedCrowd({ db: api.db, owners, seed: 8, at, now, log });
  const all = async (collection: string, sort = '_id') =>
    api.db
      .collection(collection)
      .find()
      .sort({ [sort]: 1 })
      .toArray();
  const COLLECTIONS = Object.keys(emptyRows());

  test('fills the same crowd at any size and leaves existing rows unchanged', async () => {
    await fill(30);
    const small = new Map(
      await Promise.all(COLLECTIONS.map(async (name) => [name, await all(name)] as const)),
    );
    await fill(60);
    const before = await Promise.all(COLLECTIONS.map((name) => all(name)));
    await fill(60);
    expect(await Promise.all(COLLECTIONS.map((name) => all(name)))).toEqual(before);
    expect(await api.db.collection('users').countDocuments({ email: /^crowd-8-/ })).toBe(60);
    for (const [i, name] of COLLECTIONS.entries())
      expect(before[i]).toEqual(expect.arrayContaining(small.get(name) ?? []));
  });

  test('each person of the crowd has dogs, friends and messages in both documents and rows', async () => {
    const person = await api.as('crowd-8-0@example.com');
    expect(person.user.has_access).toBe(true);
    const { cards, account, contacts } = {
      cards: await api.db.collection<CardRow>('cards').findOne({ _id: person.user.id }),
      account: await api.document(person.user.documents.account),
      contacts: readContacts(await api.document(person.user.documents.contacts)),
    };
    const card = readCard(await api.document(person.user.documents.card));
    expect(cards).toMatchObject({ ...card, is_location_sharing_enabled: readSharing(account) });
    expect(card.dogs.length).toBeGreaterThan(0);
    expect(readAcceptance(account)).not.toBeNull();

    const { friends } = await person.call(listFriends);
    expect(friends.map(({ friend_user_id }) => friend_user_id).toSorted()).toEqual(
      contacts.friends.map(({ user_id }) => user_id).toSorted(),
    );
    const [friend] = contacts.friends;
    // Seed 8 gives this one a friend.
    if (!friend) throw new Error('nobody to write to');
    const body = { receiver_user_id: friend.user_id, message_text: 'Are you there?' };
    const { message } = await person.call(sendMessage, { body });
    const { messages } = await person.call(listMessages, {
      params: { friendUserId: friend.user_id },
    });
    expect(messages.at(-1)?.id).toBe(message.id);
    const profile = { display_name: 'Somebody Else', is_location_sharing_enabled: false };
    await person.call(saveProfile, { body: profile });
    expect(readCard(await api.document(person.user.documents.card)).dogs).toEqual(card.dogs);
  });

  test('the crowd’s documents match the rows and have the right readers', async () => {
    const documents = await api.db.collection<DocumentRow>('documents').find().toArray();
    const threads = await api.db
      .collection<ThreadRow>('threads')
      .find({ pair: { $in: (await crowdPairs()).map(({ _id }) => _id) } })
      .toArray();
    const messages = await api.db.collection<MessageRow>('messages').find().toArray();
    expect(threads.length).toBeGreaterThan(30);
    let read = 0;
    for (const thread of threads)
      for (const [author, id] of Object.entries(thread.segments[0]?.documents ?? {})) {
        const row = documents.find(({ _id }) => _id === id);
        const friend = thread.users.find((user) => user !== author) ?? '';
        expect(row).toMatchObject({ owner_user_id: author, reader_user_ids: [friend] });
        const segment = readSegment(await api.document(`automerge:${id}`));
        const theirs = messages.filter(({ document_id }) => document_id === id);
        expect(segment.messages.map(({ text }) => text).toSorted()).toEqual(
          theirs.map(({ text }) => text).toSorted(),
        );
        const other = readSegment(
          await api.document(`automerge:${thread.segments[0]?.documents[friend]}`),
        );
        for (const message of theirs) {
          expect(covers(other.read, message)).toBe(message.is_read);
          read += 1;
        }
      }
    expect(read).toBeGreaterThan(30);
    for (const pair of await crowdPairs())
      for (const [one, other] of [pair.users, pair.users.toReversed()] as [string, string][]) {
        const user = await api.db.collection<UserRow>('users').findOne({ _id: one });
        const contacts = readContacts(await api.document(user?.documents.contacts ?? ''));
        const { relationship } = viewOf(pair, one);
        const relationships = Object.entries({
          friends: contacts.friends,
          sent: contacts.sent,
          received: contacts.received,
          blocked: contacts.blocked,
        }).flatMap(([name, those]) =>
          those.some(({ user_id }) => user_id === other) ? [name] : [],
        );
        expect(relationships).toEqual(relationship === 'none' ? [] : [relationship]);
        const card = documents.find(({ _id }) => _id === user?.documents.card);
        expect(card?.reader_user_ids).toEqual([]);
        const seen = documents.filter(
          ({ subject_user_id, owner_user_id }) =>
            subject_user_id === one && owner_user_id === other,
        );
        expect(seen.map(({ _id }) => _id)).toEqual(
          pair.relationship === 'friends' ? [pair.cards?.[other]] : [],
        );
        for (const { _id } of seen)
          expect(readCard(await api.document(_id))).toEqual(
            withDays(readCard(await api.document(user?.documents.card ?? ''))),
          );
      }
  });
  const crowdPairs = async () => {
    const crowd = await api.db.collection('users').distinct('_id', { email: /^crowd-8-/ });
    return api.db
      .collection<PairRow>('pairs')
      .find({ users: { $in: crowd.map(String) }, version: { $lte: 2 } })
      .toArray();
  };

  test('the crowd’s totals are correct and background jobs change nothing', async () => {
    const db = await openDatabase(inject('mongodbUri'), api.env['MONGODB_DB'] ?? '');
    const places = await all('locations');
    expect(places.some(({ visit_count }) => Number(visit_count) > 5)).toBe(true);
    for (const { _id } of places) await recount(db, String(_id));
    expect(await all('locations')).toEqual(places.map((row) => ({ ...row, is_checked: true })));

    // Collections that the start and its background jobs repair.
    const swept = ['pairs', 'threads', 'locations'];
    const before = await Promise.all(swept.map((name) => all(name)));
    await api.restartApi();
    // The start does not wait for its background jobs.
    await runPlacesJob(db);
    for (const [i, name] of swept.entries())
      expect({ [name]: await all(name) }).toEqual({ [name]: before[i] });
    await db.client.close();
  });

  test('people can use the crowd’s invitations', async () => {
    const open = await api.db
      .collection<SearchInvitationRow>('search_invitations')
      .findOne({ used_at: null, expires_at: { $gt: new Date() } });
    // Seed 8 has one.
    if (!open) throw new Error('nobody is invited');
    const guest = await api.as('guest@example.com');
    const body = { query: 'nobody', invitation_code: open.code };
    expect((await guest.call(searchUsers, { body })).users).toEqual([]);
    const inviter = await api.db
      .collection<UserRow>('users')
      .findOne({ _id: open.inviter_user_id });
    const { invitations } = await (await api.as(inviter?.email ?? '')).call(listInvitations);
    expect(invitations).toMatchObject([{ id: open._id, is_used: true }]);
  });

  test('people of the crowd plan walks with their friends, who can answer', async () => {
    const walks = await plannedWalks(api.db).find().sort({ _id: 1 }).toArray();
    expect(walks.length).toBeGreaterThan(10);
    expect(
      new Set(walks.flatMap(({ participants }) => participants.map(({ answer }) => answer))),
    ).toEqual(new Set(['yes', 'maybe', 'no', null]));
    const personOf = async (_id: string) =>
      api.as((await api.db.collection<UserRow>('users').findOne({ _id }))?.email ?? '');
    for (const walk of walks) {
      const { _id: id, participants, starts_at, location_id, place_name } = walk;
      expect(starts_at.getTime()).toBeGreaterThan(now.getTime());
      expect(
        await locations(api.db).countDocuments({ _id: location_id ?? '', name: place_name }),
      ).toBe(1);
      const organizer = await personOf(walk.organizer_user_id);
      const shown = async () =>
        (await organizer.call(listPlannedWalks)).planned_walks.find((each) => each.id === id);
      // All of them are still friends, who alone are shown.
      expect((await shown())?.participants).toMatchObject(
        participants.map(({ user_id, answer }) => ({ user_id, answer })),
      );
      if (walk !== walks[0]) continue;
      const user_id = participants[0]?.user_id ?? '';
      for (const answer of ['yes', 'no'] as const) {
        const body = { answer, starts_at: starts_at.toISOString() };
        await (await personOf(user_id)).call(answerPlannedWalk, { params: { id }, body });
        expect((await shown())?.participants[0]).toMatchObject({ user_id, answer });
      }
    }
  });

  test('search finds people of the crowd by name', async () => {
    const [host, searcher] = [await api.as('host@example.com'), await api.as('me@example.com')];
    const invited = { invited_email: 'me@example.com' };
    const { invitation } = await host.call(createInvitation, { body: invited });
    const { invitation_code } = invitation;
    const someone = await api.db.collection('users').findOne({ email: 'crowd-8-59@example.com' });
    const name = String(someone?.['name']);
    const { users } = await searcher.call(searchUsers, { body: { query: name, invitation_code } });
    expect(users.map(({ display_name }) => display_name)).toContain(name);
  });
});
