import { afterAll, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest';
import { deleteAccount } from '#shared/account/contract.ts';
import { createBlock } from '#shared/blocks/contract.ts';
import type { Message } from '#shared/chat/contract.ts';
import { decideReport, getReport } from '#shared/moderation/admin-contract.ts';
import { reportMessage } from '#shared/moderation/contract.ts';
import type { MessageRow } from '#shared/server/collections.ts';
import { startTestApi, type TestApi, type TestPerson } from '../api.ts';
import { friends, say } from '../chat/talk.ts';
import { expectRefused } from '../refusals.ts';

let api: TestApi;
let admin: TestPerson;
let wolf: TestPerson;
let ann: TestPerson;
let said: Message;

beforeAll(async () => {
  api = await startTestApi(inject('mongodbUri'));
  admin = await api.asAdmin();
});
afterAll(() => api.close());
beforeEach(async () => {
  [wolf, ann] = await friends(api, 'Wolf', 'Ann');
  await say(ann, wolf, 'Hello');
  said = await say(wolf, ann, 'Something vile');
});

const seals = () => api.db.collection('removed_message_hashes');
const bodyOf = (overrides: object = {}) => ({
  reported_user_id: wolf.user.id,
  message_id: said.id,
  report_type: 'harassment' as const,
  description: 'Wrote it and blocked me.',
  message_text: said.message_text,
  ...overrides,
});
const report = (overrides: object = {}, by = ann) =>
  by.call(reportMessage, { body: bodyOf(overrides) });
const block = () => wolf.call(createBlock, { body: { blocked_user_id: ann.user.id } });
const isGone = async () =>
  expect
    .poll(() => api.db.collection('messages').countDocuments({ _id: said.id as never }))
    .toBe(0);
const evidenceOf = async (id: string) => (await admin.call(getReport, { params: { id } })).evidence;
const missing = { error: 'Message not found' };

describe('a report and a block that cross each other', () => {
  test('the block first: what the reporter’s device had is evidence, because a seal proves it', async () => {
    await block();
    await isGone();
    const sent = await report();
    expect(sent.report).toMatchObject({ message_id: said.id, status: 'pending' });
    expect(sent.report).not.toHaveProperty('message_text');
    const evidence = await evidenceOf(sent.report.id);
    expect(evidence.is_from_reporter).toBe(true);
    expect(evidence.messages).toEqual([
      {
        id: said.id,
        sender_user_id: wolf.user.id,
        receiver_user_id: ann.user.id,
        message_text: 'Something vile',
        created_at: said.created_at,
      },
    ]);
    expect(await report()).toEqual(sent);
    // Nothing of what was said is kept beside what was reported, nor of who said it.
    const kept = JSON.stringify(await seals().find().toArray());
    for (const trace of ['vile', 'Hello', wolf.user.id, ann.user.id, said.id])
      expect(kept).not.toContain(trace);
  });

  test('the report first: the server’s own copy is evidence, with what was around it, whatever the device says', async () => {
    const sent = await report({ message_text: 'Something else' });
    await block();
    await isGone();
    const evidence = await evidenceOf(sent.report.id);
    expect(evidence.is_from_reporter).toBe(false);
    expect(evidence.messages.map(({ message_text }) => message_text)).toEqual([
      'Hello',
      'Something vile',
    ]);
  });

  test('both at once: there is one report, and it has its evidence', async () => {
    const [sent] = await Promise.all([report(), block()]);
    await isGone();
    const evidence = await evidenceOf(sent.report.id);
    expect(evidence.messages.find(({ id }) => id === said.id)?.message_text).toBe('Something vile');
  });
});

test('what a lying client numbered as long ago is sealed as what it is: new', async () => {
  const messages = api.db.collection<MessageRow>('messages');
  const row = (await messages.findOne({ _id: said.id }))!;
  const before = new Date(row.created_at.getTime() - 60_000);
  const older = Array.from({ length: 500 }, (_, i) => ({
    ...row,
    _id: `${row.document_id}.older${i}`,
    seq: row.seq + 1 + i,
    created_at: before,
  }));
  await messages.insertMany(older);
  await block();
  await isGone();
  expect((await report()).report).toMatchObject({ message_id: said.id });
});

describe('what is not proven is no evidence', () => {
  beforeEach(async () => {
    await block();
    await isGone();
  });

  test('other words, another author, another receiver, no words, and after the time', async () => {
    await expectRefused(report({ message_text: 'Something viler' }), 404, missing);
    await expectRefused(report({ message_text: undefined }), 404, missing);
    const other = await api.as('other@example.com');
    await expectRefused(report({}, other), 404, missing);
    await expectRefused(report({ reported_user_id: other.user.id }), 404, missing);
    // Nor does its author report it as if Ann had written it.
    await expectRefused(report({ reported_user_id: ann.user.id }, wolf), 404, missing);
    await expectRefused(report({ message_text: '' }), 400);
    await seals().updateMany({}, { $set: { expires_at: new Date(0) } });
    await expectRefused(report(), 404, missing);
    await api.restartApi();
    await expect.poll(() => seals().countDocuments()).toBe(0);
  });

  test('and of whoever deleted their account nothing is kept', async () => {
    await wolf.call(deleteAccount, { body: { confirmation: 'delete my account' } });
    await expectRefused(report(), 404, missing);
  });
});

test('what a moderator removed can still be reported by whoever had it', async () => {
  const { report: first } = await report({ message_text: undefined });
  const body = {
    version: 0,
    status: 'resolved' as const,
    admin_notes: 'Removed',
    remove_message: true,
    sanction: null,
  };
  await admin.call(decideReport, { params: { id: first.id }, body });
  await isGone();
  // Her report was taken away since: she sends it again.
  await api.db.collection('message_reports').deleteOne({ _id: first.id as never });
  await api.db.collection('report_evidence').deleteOne({ _id: first.id as never });
  const again = await report();
  expect((await evidenceOf(again.report.id)).is_from_reporter).toBe(true);
});
