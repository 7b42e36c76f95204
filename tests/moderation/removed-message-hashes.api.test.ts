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

const hashes = () => api.db.collection('removed_message_hashes');
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

describe('a report and a block at the same time', () => {
  test('accepts the reporter’s copy of a message as evidence when it matches the stored hash', async () => {
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
    // The hashes contain no texts and no ids.
    const storedHashes = JSON.stringify(await hashes().find().toArray());
    for (const trace of ['vile', 'Hello', wolf.user.id, ann.user.id, said.id])
      expect(storedHashes).not.toContain(trace);
  });

  test('uses the server’s copy with its context as evidence when the report arrives before the block', async () => {
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

  test('creates one report with evidence when report and block arrive at once', async () => {
    const [sent] = await Promise.all([report(), block()]);
    await isGone();
    const evidence = await evidenceOf(sent.report.id);
    expect(evidence.messages.find(({ id }) => id === said.id)?.message_text).toBe('Something vile');
  });
});

test('stores the hash of a new message even if a client numbered it as an old one', async () => {
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

describe('reports without proof', () => {
  beforeEach(async () => {
    await block();
    await isGone();
  });

  test('rejects reports of removed messages that do not match the stored hash', async () => {
    await expectRefused(report({ message_text: 'Something viler' }), 404, missing);
    await expectRefused(report({ message_text: undefined }), 404, missing);
    const other = await api.as('other@example.com');
    await expectRefused(report({}, other), 404, missing);
    await expectRefused(report({ reported_user_id: other.user.id }), 404, missing);
    // The author can't report it as Ann's message.
    await expectRefused(report({ reported_user_id: ann.user.id }, wolf), 404, missing);
    await expectRefused(report({ message_text: '' }), 400);
    await hashes().updateMany({}, { $set: { expires_at: new Date(0) } });
    await expectRefused(report(), 404, missing);
    await api.runJobs();
    await expect.poll(() => hashes().countDocuments()).toBe(0);
  });

  test('stores no hashes of messages of deleted accounts', async () => {
    await wolf.call(deleteAccount, { body: { confirmation: 'delete my account' } });
    await expectRefused(report(), 404, missing);
  });
});

test('accepts a report of a message that a moderator already removed', async () => {
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
  // Her report no longer exists, so she sends it again.
  await api.db.collection('message_reports').deleteOne({ _id: first.id as never });
  await api.db.collection('report_evidence').deleteOne({ _id: first.id as never });
  const again = await report();
  expect((await evidenceOf(again.report.id)).is_from_reporter).toBe(true);
});
