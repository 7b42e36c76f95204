import { afterAll, beforeAll, beforeEach, expect, inject, test, vi } from 'vitest';
import { deleteAccount } from '#shared/account/contract.ts';
import { createBlock } from '#shared/blocks/contract.ts';
import { createFriendRequest, respondToFriendRequest } from '#shared/friends/contract.ts';
import { decideReport, listReports } from '#shared/moderation/admin-contract.ts';
import { reportContent } from '#shared/moderation/contract.ts';
import { listActivity, readActivity } from '#shared/push/contract.ts';
import { unzip } from '../account/unzip.ts';
import { startTestApi, type TestApi, type TestPerson } from '../api.ts';
import { listen } from '../events/listen.ts';
import { makeProfile } from '../factories.ts';

let api: TestApi;
let alex: TestPerson;
let sam: TestPerson;

beforeAll(async () => {
  api = await startTestApi(inject('mongodbUri'));
});
afterAll(() => api.close());

let count = 0;
async function person(name: string): Promise<TestPerson> {
  const someone = await api.as(`${name}.${++count}@example.com`);
  await makeProfile(someone, { display_name: name });
  return someone;
}
beforeEach(async () => {
  [alex, sam] = await Promise.all([person('Alex'), person('Sam')]);
});

const ask = async (one: TestPerson, other: TestPerson) =>
  (await one.call(createFriendRequest, { body: { receiver_user_id: other.user.id } }))
    .friend_request.id;
const activityOf = async ({ call }: TestPerson) => (await call(listActivity)).activity;
const saidTo = async (someone: TestPerson) =>
  (await activityOf(someone)).map(({ title, body }) => `${title}: ${body}`);

test('lists what a push would say, while it is true, without a device that gets pushes', async () => {
  const id = await ask(alex, sam);
  expect(await activityOf(sam)).toMatchObject([
    {
      kind: 'friends',
      topic: 'friend_request',
      title: 'New friend request',
      body: 'Alex would like to be friends.',
      path: '/social?tab=requests',
      is_read: false,
    },
  ]);
  expect(await activityOf(alex)).toEqual([]);
  await sam.call(respondToFriendRequest, { body: { request_id: id, action: 'accept' } });
  // Answered: nothing is left to do.
  expect(await activityOf(sam)).toEqual([]);
  expect(await saidTo(alex)).toEqual(['Friend request accepted: You and Sam are now friends.']);
  // A repeat of the same cause is no news.
  await makeProfile(sam, { display_name: 'Samuel' });
  await api.runJobs();
  expect(await saidTo(alex)).toEqual(['Friend request accepted: You and Samuel are now friends.']);
});

test('tells devices that show the list when it changes', async () => {
  const stream = await listen(api.origin, sam);
  const told = () => stream.events.filter(({ type }) => type === 'activity').length;
  await ask(alex, sam);
  await expect.poll(told).toBe(1);
  const [first] = await activityOf(sam);
  await sam.call(readActivity, { body: { until: first?.told_at ?? '' } });
  await expect.poll(told).toBe(2);
  stream.close();
});

test('stays read on all devices, and what came later is new', async () => {
  await ask(alex, sam);
  const [first] = await activityOf(sam);
  await sam.call(readActivity, { body: { until: first?.told_at ?? '' } });
  expect((await activityOf(sam)).map(({ is_read }) => is_read)).toEqual([true]);
  await ask(await person('Kim'), sam);
  expect((await activityOf(sam)).map(({ is_read }) => is_read)).toEqual([false, true]);
});

test('is exported to whom it was told, without whom it is about', async () => {
  await ask(alex, sam);
  const [first] = await activityOf(sam);
  await sam.call(readActivity, { body: { until: first?.told_at ?? '' } });
  const exported = async ({ jar }: TestPerson): Promise<unknown> => {
    const response = await jar.fetch(`${api.origin}/api/account/export`);
    const files = unzip(Buffer.from(await response.arrayBuffer()));
    return JSON.parse(String(files.get('activity.json')));
  };
  expect(await exported(sam)).toEqual([
    { topic: 'friend_request', at: first?.told_at, is_read: true },
  ]);
  expect(await exported(alex)).toEqual([]);
});

test('tells nothing of somebody who was blocked or is gone', async () => {
  const kim = await person('Kim');
  await ask(alex, sam);
  await ask(kim, sam);
  await sam.call(createBlock, { body: { blocked_user_id: alex.user.id } });
  await kim.call(deleteAccount, { body: { confirmation: 'delete my account' } });
  expect(await activityOf(sam)).toEqual([]);
  await sam.call(deleteAccount, { body: { confirmation: 'delete my account' } });
  const left = { user_id: { $in: [sam.user.id, kim.user.id] } };
  expect(await api.db.collection('activities').countDocuments(left)).toBe(0);
});

test.each([
  ['resolved', 'You were right: it breaks our community guidelines. Thank you for telling us.'],
  ['dismissed', 'Thank you. We didn’t find that it breaks our guidelines.'],
] as const)(
  'tells a reporter that a report was %s, and the reported person nothing',
  async (status, words) => {
    const body = {
      subject_type: 'person' as const,
      reported_user_id: sam.user.id,
      report_type: 'spam' as const,
      description: 'They advertise leashes',
    };
    await alex.call(reportContent, { body });
    expect(await activityOf(alex)).toEqual([]);
    const admin = await api.asAdmin();
    const { reports } = await admin.call(listReports, { query: {} });
    const report = reports.find(({ reporter }) => reporter.user_id === alex.user.id);
    await admin.call(decideReport, {
      params: { id: report?.id ?? '' },
      body: {
        status,
        admin_notes: 'Looked at it',
        remove_message: false,
        sanction: null,
        version: report?.version ?? 1,
      },
    });
    await vi.waitFor(async () =>
      expect(await saidTo(alex)).toEqual([`Your report was reviewed: ${words}`]),
    );
    expect(await activityOf(sam)).toEqual([]);
  },
);
