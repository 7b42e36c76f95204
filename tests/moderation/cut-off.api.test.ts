import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { deleteAccount } from '#shared/account/contract.ts';
import { auditLog } from '#shared/admin/contract.ts';
import { listConversations } from '#shared/chat/contract.ts';
import { decideReport, issueWarning } from '#shared/moderation/admin-contract.ts';
import { reportMessage } from '#shared/moderation/contract.ts';
import { reviewMessage } from '#shared/moderation/rules-contract.ts';
import { removeMessage } from '../../api/features/chat/remove-message.ts';
import { watchMessages } from '../../api/features/moderation/content/message-scanner.ts';
import { runRetentionJob } from '../../api/features/moderation/retention.ts';
import type { Services } from '../../api/platform/services.ts';
import { startTestApi, type TestApi, type TestPerson } from '../api.ts';
import { friends, say, threadsOf } from '../chat/talk.ts';
import { cutOff, spareServices, type SpareServices, replacing } from '../services.ts';
import { addRule, hiddenFrom, logOf, sanctionsOf, readableBy, seenBy } from './visible-messages.ts';

// Interrupted or overlapping actions, completed by a repeated call or a background job.

let api: TestApi;
let admin: TestPerson;
let spare: SpareServices;
beforeAll(async () => {
  api = await startTestApi(inject('mongodbUri'));
  admin = await api.asAdmin();
  spare = await spareServices(api);
});
afterAll(async () => {
  await spare.close();
  await api.close();
});

const allChecked = () =>
  expect.poll(() => api.db.collection('messages').countDocuments({ is_checked: false })).toBe(0);

/** The same services, with a delay before the messages of a new segment are written. */
function slowly({ db, ...services }: Services, ms: number): Services {
  const slow = <T extends object>(collection: T, name: keyof T): T =>
    new Proxy(collection, {
      get(all, key: keyof T & string) {
        const value: unknown = all[key];
        if (typeof value !== 'function') return value;
        if (key !== name) return value.bind(all) as unknown;
        return async (...args: unknown[]) => {
          await wait(ms);
          return (value as (...given: unknown[]) => unknown).apply(all, args);
        };
      },
    });
  const slowed = replacing(db, (collection) =>
    collection.collectionName === 'messages' ? slow(collection, 'bulkWrite') : collection,
  );
  return { ...services, db: slowed };
}

/** Reports a message of the author. */
async function reported(author: TestPerson, reporter: TestPerson, message_id: string) {
  const { report } = await reporter.call(reportMessage, {
    body: {
      reported_user_id: author.user.id,
      message_id,
      report_type: 'harassment',
      description: 'This is unkind.',
    },
  });
  return report;
}

test('a second removal in the same segment completes the first one, which was interrupted', async () => {
  const [wolf, ann] = await friends(api, 'Wolf', 'Ann');
  const first = await say(wolf, ann, 'first bad');
  const second = await say(wolf, ann, 'second bad');
  await say(wolf, ann, 'kind');
  const cut = cutOff(spare.services, (_call, name) => name === 'messages.restore');
  await expect(removeMessage(cut, first.id)).rejects.toMatchObject({ status: 503 });
  expect(await seenBy(ann, wolf)).toEqual(['second bad', 'kind']);
  await removeMessage(spare.services, second.id);
  await removeMessage(spare.services, first.id);
  expect(await readableBy(api, ann)).toEqual(['kind']);
  expect(await seenBy(ann, wolf)).toEqual(['kind']);
  expect((await ann.call(listConversations)).conversations).toMatchObject([{ unread_count: 1 }]);
  const row = await api.db.collection('threads').findOne({ users: ann.user.id });
  expect(row).toMatchObject({ successions: [] });
});

test('a repeated removal tells devices of the rewritten segment when the first was interrupted before', async () => {
  const [wolf, ann] = await friends(api, 'Wolf', 'Ann');
  const bad = await say(wolf, ann, 'bad');
  const cut = cutOff(spare.services, (_call, name) => name === 'thread.set');
  await expect(removeMessage(cut, bad.id)).rejects.toMatchObject({ status: 503 });
  await removeMessage(spare.services, bad.id);
  const row = await api.db.collection('threads').findOne({ users: ann.user.id });
  const mine = `automerge:${row?.['segments'][0].documents[wolf.user.id]}`;
  for (const [person, side] of [
    [wolf, 'mine'],
    [ann, 'theirs'],
  ] as const)
    expect((await threadsOf(api, person))[0]?.segments[0]?.[side]).toBe(mine);
  expect(row).toMatchObject({ is_settled: true, successions: [] });
});

test('rewriting a segment keeps messages that a newer rule would block', async () => {
  const [wolf, ann] = await friends(api, 'Wolf', 'Ann');
  await say(wolf, ann, 'an old zorknew');
  await say(wolf, ann, 'kind');
  const bad = await say(wolf, ann, 'unkind');
  await allChecked();
  await addRule(admin, 'zorknew', 'block');
  await removeMessage(slowly(spare.services, 1_000), bad.id);
  // The message was checked before the rule existed.
  await expect.poll(() => readableBy(api, ann)).toEqual(['an old zorknew', 'kind']);
  expect(await seenBy(ann, wolf)).toEqual(['an old zorknew', 'kind']);
  expect(await sanctionsOf(api, wolf)).toBe(0);
});

test('a message that a moderator released stays visible after another one in its segment is removed', async () => {
  await addRule(admin, 'zorkheld', 'require_review');
  const [wolf, ann] = await friends(api, 'Wolf', 'Ann');
  await say(wolf, ann, 'mild zorkheld');
  await expect.poll(() => logOf(admin, wolf)).toHaveLength(1);
  await allChecked();
  const [entry] = await logOf(admin, wolf);
  const params = { id: entry?.id ?? '' };
  await admin.call(reviewMessage, { params, body: { decision: 'released' } });
  const bad = await say(wolf, ann, 'unkind');
  await allChecked();
  await removeMessage(slowly(spare.services, 1_000), bad.id);
  await allChecked();
  expect(await seenBy(ann, wolf)).toEqual(['mild zorkheld']);
  expect(await hiddenFrom(api, ann)).toEqual([]);
  // Also after another check.
  await api.db
    .collection('messages')
    .updateMany({ sender_user_id: wolf.user.id }, { $set: { is_checked: false } });
  await api.runJobs();
  await allChecked();
  expect(await seenBy(ann, wolf)).toEqual(['mild zorkheld']);
});

test('the author of a removed message is warned even if the sync server was unreachable at first', async () => {
  await addRule(admin, 'zorkgone', 'block');
  const [wolf, ann] = await friends(api, 'Wolf', 'Ann');
  await api.stopApi();
  const [thread] = await threadsOf(api, wolf);
  await api.change(thread?.segments[0]?.mine ?? '', 'message.add', {
    key: 'bad',
    seq: 1,
    device: 'liar',
    at: new Date().toISOString(),
    text: 'zorkgone',
  });
  const cut = cutOff(spare.services, (call) => call === 'remove');
  watchMessages(cut, () => {});
  await expect(spare.runJob('unchecked messages')).rejects.toMatchObject({ status: 503 });
  await api.startApi();
  await expect.poll(() => seenBy(ann, wolf)).toEqual([]);
  await expect.poll(() => sanctionsOf(api, wolf)).toBe(1);
  await expect.poll(() => hiddenFrom(api, ann)).toEqual([]);
});

test('a decision that failed can only be repeated unchanged until it succeeds', async () => {
  const [wolf, ann] = await friends(api, 'Wolf', 'Ann');
  const bad = await say(wolf, ann, 'unkind');
  const report = await reported(wolf, ann, bad.id);
  const sanction = {
    warning_type: 'warning' as const,
    severity: 'minor' as const,
    reason: 'Be kind.',
    law_enforcement_notice: false,
  };
  const decide = (version: number, remove_message: boolean) =>
    admin.call(decideReport, {
      params: { id: report.id },
      body: { version, status: 'resolved', admin_notes: '', remove_message, sanction },
    });
  await api.stopSync();
  try {
    await expect(decide(0, true)).rejects.toMatchObject({ status: 503 });
    // No other decision is accepted before.
    await expect(decide(1, false)).rejects.toMatchObject({ status: 503 });
  } finally {
    await api.startSync();
  }
  await expect(decide(0, false)).rejects.toMatchObject({ code: 'edited_meanwhile' });
  expect((await decide(0, true)).report).toMatchObject({ status: 'resolved', version: 1 });
  expect(await readableBy(api, ann)).toEqual([]);
  expect(await sanctionsOf(api, wolf)).toBe(1);
});

test('a ban issued while the sync server is down applies to the next account with that email address', async () => {
  const wolf = await api.as('banned@example.com');
  await api.stopSync();
  try {
    const sanction = {
      warning_type: 'termination',
      severity: 'severe',
      reason: 'Enough.',
    } as const;
    await expect(
      admin.call(issueWarning, { body: { user_id: wolf.user.id, ...sanction } }),
    ).rejects.toMatchObject({ status: 503 });
    expect(await logOf(admin, wolf)).toMatchObject([{ action_taken: 'warning_sent' }]);
    await wolf.call(deleteAccount, { body: { confirmation: 'delete my account' } });
  } finally {
    await api.startSync();
  }
  const { entries } = await admin.call(auditLog, { query: { act: 'warning.issue' } });
  expect(entries.map(({ voids }) => voids)).toEqual([null]);
  const again = await api.as('banned@example.com', { access: false });
  expect(again.user.id).not.toBe(wolf.user.id);
  await expect
    .poll(() => api.db.collection('users').findOne({ _id: again.user.id as never }))
    .toMatchObject({ suspended_until: new Date('9999-12-31T00:00:00.000Z') });
});

test('the background job deletes day-old evidence without a report and keeps the rest', async () => {
  const [ann, bob] = await friends(api, 'evidence-ann', 'evidence-bob');
  const { id } = await say(ann, bob, 'You are a fool');
  const { id: noted } = await reported(ann, bob, id);
  const evidence = api.db.collection<{ _id: string; copied_at: Date; messages: unknown[] }>(
    'report_evidence',
  );
  const dayBefore = new Date(Date.now() - 25 * 60 * 60 * 1000);
  await evidence.updateOne({ _id: noted }, { $set: { copied_at: dayBefore } });
  const rest = { messages: [] };
  await evidence.insertOne({ _id: 'alone', copied_at: dayBefore, ...rest });
  await evidence.insertOne({ _id: 'just-now', copied_at: new Date(), ...rest });
  await runRetentionJob(spare.services);
  const left = await evidence.find({ _id: { $in: [noted, 'alone', 'just-now'] } }).toArray();
  expect(left.map(({ _id }) => _id).toSorted()).toEqual([noted, 'just-now'].toSorted());
});
