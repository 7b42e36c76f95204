import { afterAll, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest';
import { sendMessage } from '#shared/chat/contract.ts';
import {
  decideReport,
  getReport,
  issueWarning,
  liftWarning,
  listAllWarnings,
} from '#shared/moderation/admin-contract.ts';
import { BLOCKED_TEXT, listWarnings, reportMessage } from '#shared/moderation/contract.ts';
import {
  createRule,
  listLog,
  reviewMessage,
  type RuleAction,
} from '#shared/moderation/rules-contract.ts';
import type { MessageRow } from '#shared/server/collections.ts';
import { startTestApi, type TestApi, type TestPerson } from '../api.ts';
import { friends, say, threadsOf } from '../chat/talk.ts';
import { expectRefused } from '../refusals.ts';
import { hiddenFrom, logOf, readableBy, seenBy } from './visible-messages.ts';

let api: TestApi;
let admin: TestPerson;
/** Writes content that our clients would reject. */
let wolf: TestPerson;
let ann: TestPerson;

beforeAll(async () => {
  api = await startTestApi(inject('mongodbUri'));
  admin = await api.asAdmin();
  const rule = (rule_pattern: string, action: RuleAction) =>
    admin.call(createRule, {
      body: { rule_type: 'word', rule_name: action, rule_pattern, severity: 'critical', action },
    });
  await rule('zorkblock', 'block');
  await rule('zorkdelete', 'auto_delete');
  await rule('zorkreview', 'require_review');
  await rule('zorkflag', 'flag');
});
afterAll(() => api.close());
beforeEach(async () => {
  [wolf, ann] = await friends(api, 'Wolf', 'Ann');
});

const eventually = <T>(ask: () => Promise<T>) => expect.poll(ask);
let seq = 100;
/** Writes into the author's segment as a device without the word filter would. */
async function sendUnfiltered(from: TestPerson, text: string, key = `key${seq}`): Promise<void> {
  const [thread] = await threadsOf(api, from);
  await api.change(thread?.segments[0]?.mine ?? '', 'message.add', {
    key,
    seq: ++seq,
    device: 'liar',
    at: new Date().toISOString(),
    text,
  });
}
const rows = (person: TestPerson) =>
  api.db.collection<MessageRow>('messages').find({ sender_user_id: person.user.id }).toArray();

/** Who decided on the sanctions and notices of a person, as moderators see it. */
const decidedBy = async ({ user: { id } }: TestPerson) => {
  const { warnings } = await admin.call(listAllWarnings, { query: { user_id: id } });
  return warnings.map(({ admin_user_id }) => admin_user_id);
};

describe('rules on synced messages', () => {
  test.each(['zorkblock', 'zorkdelete'])(
    '%s deletes the message from documents, projection and calls, and warns its author',
    async (word) => {
      await say(wolf, ann, 'first');
      await sendUnfiltered(wolf, `a ${word} of a message`);
      await sendUnfiltered(wolf, 'last');
      await eventually(() => readableBy(api, ann)).toEqual(['first', 'last']);
      await eventually(() => seenBy(ann, wolf)).toEqual(['first', 'last']);
      expect(await seenBy(wolf, ann)).toEqual(['first', 'last']);
      await eventually(async () => (await rows(wolf)).length).toBe(2);
      await eventually(() => hiddenFrom(api, ann)).toEqual([]);
      const warningsOf = async () => (await wolf.call(listWarnings)).warnings;
      await eventually(warningsOf).toMatchObject([
        { warning_type: 'warning', severity: 'minor', issued_by_admin: false },
      ]);
      expect(await decidedBy(wolf)).toEqual([null]);
      expect((await warningsOf())[0]?.reason).toContain(BLOCKED_TEXT);
      const taken = word === 'zorkblock' ? 'blocked' : 'deleted';
      await eventually(async () =>
        (await logOf(admin, wolf)).map(({ action_taken }) => action_taken).toSorted(),
      ).toEqual([taken, 'warning_sent']);
      // The thread continues.
      await say(wolf, ann, 'and on');
      await say(ann, wolf, 'yes');
      expect(await seenBy(ann, wolf)).toEqual(['first', 'last', 'and on', 'yes']);
    },
  );

  test('leaves no trace of a removed message in documents and their logs', async () => {
    await sendUnfiltered(wolf, 'zorkblock and a secret');
    await sendUnfiltered(wolf, 'stays');
    await eventually(() => readableBy(api, ann)).toEqual(['stays']);
    const has = async (collection: string) => {
      const found = await api.db.collection(collection).find().toArray();
      return found.some((row) => JSON.stringify(row).includes('and a secret'));
    };
    // The projection follows the documents.
    await eventually(() => has('messages')).toBe(false);
    // The log of moderation is for moderators.
    expect(await has('moderation_log')).toBe(true);
  });

  test('zorkreview shows a message only to its author until a moderator releases it', async () => {
    await sendUnfiltered(wolf, 'zorkreview one');
    await sendUnfiltered(wolf, 'harmless');
    await eventually(() => seenBy(ann, wolf)).toEqual(['harmless']);
    await eventually(async () => (await hiddenFrom(api, ann)).length).toBe(1);
    expect(await seenBy(wolf, ann)).toEqual(['zorkreview one', 'harmless']);
    const [entry] = await logOf(admin, wolf);
    expect(entry).toMatchObject({ action_taken: 'flagged', review: 'pending' });
    const params = { id: entry?.id ?? '' };
    await admin.call(reviewMessage, { params, body: { decision: 'released' } });
    expect(await seenBy(ann, wolf)).toEqual(['zorkreview one', 'harmless']);
    expect(await hiddenFrom(api, ann)).toEqual([]);
    await expectRefused(admin.call(reviewMessage, { params, body: { decision: 'removed' } }), 409, {
      code: 'edited_meanwhile',
    });
    await expectRefused(
      admin.call(reviewMessage, { params: { id: 'none' }, body: { decision: 'removed' } }),
      404,
      { error: 'Entry not found' },
    );
  });

  test('zorkreview deletes a message that a moderator removes, and other messages stay in review', async () => {
    await sendUnfiltered(wolf, 'zorkreview one');
    await sendUnfiltered(wolf, 'zorkreview two');
    await eventually(async () => (await hiddenFrom(api, ann)).length).toBe(2);
    const entry = (await logOf(admin, wolf)).find(({ flagged_content }) =>
      flagged_content?.endsWith('one'),
    );
    const params = { id: entry?.id ?? '' };
    const removed = await admin.call(reviewMessage, { params, body: { decision: 'removed' } });
    expect(removed.entry).toMatchObject({ review: 'removed', action_taken: 'deleted' });
    expect(await readableBy(api, ann)).toEqual(['zorkreview two']);
    expect(await seenBy(ann, wolf)).toEqual([]);
    expect(await hiddenFrom(api, ann)).toHaveLength(1);
    const { warnings } = await wolf.call(listWarnings);
    expect(warnings).toMatchObject([
      { reason: `We removed one of your messages. ${BLOCKED_TEXT}`, issued_by_admin: false },
    ]);
    expect(await decidedBy(wolf)).toEqual([admin.user.id]);
    const other = (await logOf(admin, wolf)).find(({ review }) => review === 'pending');
    const body = { decision: 'released' as const };
    await admin.call(reviewMessage, { params: { id: other?.id ?? '' }, body });
    expect(await seenBy(ann, wolf)).toEqual(['zorkreview two']);
  });

  test('zorkflag keeps the message and logs it once', async () => {
    await sendUnfiltered(wolf, 'zorkflag, mind you');
    await eventually(async () => (await logOf(admin, wolf)).length).toBe(1);
    expect(await seenBy(ann, wolf)).toEqual(['zorkflag, mind you']);
    await api.db
      .collection<MessageRow>('messages')
      .updateMany({ sender_user_id: wolf.user.id }, { $set: { is_checked: false } });
    await api.runJobs();
    await eventually(async () => (await rows(wolf))[0]?.is_checked).toBe(true);
    expect(await logOf(admin, wolf)).toHaveLength(1);
  });
});

test.each(['I will kill you', 'kys'])(
  'by the default rules “%s” is delivered, and waits for a moderator, who may still remove it',
  async (threat) => {
    await sendUnfiltered(wolf, threat);
    await eventually(() => seenBy(ann, wolf)).toEqual([threat]);
    await eventually(async () => (await logOf(admin, wolf)).length).toBe(1);
    const { entries } = await admin.call(listLog, {
      query: { review: 'pending', user_id: wolf.user.id },
    });
    expect(entries).toMatchObject([{ flagged_content: threat, severity: 'high' }]);
    expect(await seenBy(ann, wolf)).toEqual([threat]);
    const params = { id: entries[0]?.id ?? '' };
    await admin.call(reviewMessage, { params, body: { decision: 'removed' } });
    await eventually(() => seenBy(ann, wolf)).toEqual([]);
  },
);

test('rejects a blocked message that is sent by a call, and stores nothing of it', async () => {
  const body = { receiver_user_id: ann.user.id, message_text: 'you z0rkbl0ck' };
  await expectRefused(wolf.call(sendMessage, { body }), 400, {
    error: BLOCKED_TEXT,
    code: 'blocked_content',
    fields: { message_text: BLOCKED_TEXT },
  });
  expect(await rows(wolf)).toEqual([]);
  expect(await logOf(admin, wolf)).toMatchObject([{ action_taken: 'blocked', message_id: null }]);
});

test('checks messages that were written while the API was down', async () => {
  await say(wolf, ann, 'before');
  await api.db
    .collection<MessageRow>('messages')
    .updateMany(
      { sender_user_id: wolf.user.id },
      { $set: { text: 'zorkflag', is_checked: false } },
    );
  await api.runJobs();
  await eventually(async () => (await logOf(admin, wolf)).length).toBe(1);
  expect((await logOf(admin, wolf))[0]?.flagged_content).toBe('zorkflag');
});

const reportOf = (message_id: string) =>
  ann.call(reportMessage, {
    body: {
      reported_user_id: wolf.user.id,
      message_id,
      report_type: 'harassment',
      description: 'This is unkind.',
    },
  });

test('a moderator removes a reported message for both people, under its new id, and the evidence stays', async () => {
  await say(wolf, ann, 'kind');
  const bad = await say(wolf, ann, 'unkind');
  const { report } = await reportOf(bad.id);
  // Removing another message first gives this one a new id.
  await sendUnfiltered(wolf, 'zorkdelete');
  await eventually(() => readableBy(api, ann)).toEqual(['kind', 'unkind']);
  await eventually(async () => (await rows(wolf)).length).toBe(2);
  await admin.call(decideReport, {
    params: { id: report.id },
    body: { version: 0, status: 'resolved', remove_message: true },
  });
  expect(await readableBy(api, ann)).toEqual(['kind']);
  expect(await seenBy(wolf, ann)).toEqual(['kind']);
  const { evidence } = await admin.call(getReport, { params: { id: report.id } });
  expect(evidence.messages.map(({ message_text }) => message_text)).toContain('unkind');
});

test('a message is removed even if another removal changes its id at the same time', async () => {
  const bad = await say(wolf, ann, 'unkind');
  const messages = api.db.collection<MessageRow>('messages');
  const before = await messages.findOne({ _id: bad.id });
  const { report } = await reportOf(bad.id);
  await sendUnfiltered(wolf, 'zorkdelete');
  await eventually(async () => (await rows(wolf)).map(({ _id }) => _id)).not.toContain(bad.id);
  // The state before the old segment is removed.
  await messages.insertOne(before!);
  await admin.call(decideReport, {
    params: { id: report.id },
    body: { version: 0, status: 'resolved', remove_message: true },
  });
  expect(await readableBy(api, ann)).toEqual([]);
  expect(await hiddenFrom(api, ann)).toEqual([]);
});

test('rejects messages from a restricted user until the restriction is lifted', async () => {
  const body = { receiver_user_id: ann.user.id, message_text: 'hello' };
  const { warning } = await admin.call(issueWarning, {
    body: {
      user_id: wolf.user.id,
      warning_type: 'restriction',
      severity: 'moderate',
      reason: 'Enough.',
    },
  });
  await expectRefused(wolf.call(sendMessage, { body }), 403, { code: 'restricted' });
  await say(ann, wolf, 'I may');
  const { id, version } = warning;
  await admin.call(liftWarning, { params: { id }, body: { version } });
  expect(await wolf.call(sendMessage, { body })).toBeDefined();
});
