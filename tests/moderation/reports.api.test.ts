import { afterAll, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest';
import { deleteAccount, exportAccount } from '#shared/account/contract.ts';
import { auditLog } from '#shared/admin/contract.ts';
import { decideReport, getReport, listReports } from '#shared/moderation/admin-contract.ts';
import { listWarnings, reportMessage, reportType } from '#shared/moderation/contract.ts';
import { listLog } from '#shared/moderation/rules-contract.ts';
import { unzip } from '../account/unzip.ts';
import { startTestApi, type TestApi, type TestPerson } from '../api.ts';
import { makeProfile } from '../factories.ts';
import { expectRefused } from '../refusals.ts';
import { written } from './insert-messages.ts';

let api: TestApi;
let admin: TestPerson;
let second: TestPerson;
let count = 0;
/** The author of the reported messages. */
let wolf: TestPerson;
let ann: TestPerson;
/** Ids of the messages from `wolf` to Ann. */
let ids: string[];

beforeAll(async () => {
  api = await startTestApi(inject('mongodbUri'), {
    ADMIN_EMAILS: 'admin@example.com, second@example.com',
  });
  admin = await api.asAdmin();
  second = await api.as('second@example.com');
});
afterAll(() => api.close());
beforeEach(async () => {
  const number = ++count;
  wolf = await api.as(`wolf${number}@example.com`);
  ann = await api.as(`ann${number}@example.com`);
  await makeProfile(wolf, { display_name: 'Wolf' });
  await makeProfile(ann, { display_name: 'Ann' });
  const texts = Array.from({ length: 20 }, (_, i) => `line ${i}`);
  ids = await written(api.db, wolf.user.id, ann.user.id, texts);
});

const bodyOf = (message_id: string, overrides: object = {}) => ({
  reported_user_id: wolf.user.id,
  message_id,
  report_type: 'harassment' as const,
  description: 'He will not stop.',
  ...overrides,
});
const reported = async (message_id = ids[12] ?? '') =>
  (await ann.call(reportMessage, { body: bodyOf(message_id) })).report;

describe('a report', () => {
  test('is pending at first and has no moderator notes', async () => {
    const report = await reported();
    expect(report).toEqual({
      id: expect.any(String) as string,
      reporter_user_id: ann.user.id,
      reported_user_id: wolf.user.id,
      message_id: ids[12],
      report_type: 'harassment',
      description: 'He will not stop.',
      status: 'pending',
      resolved_at: null,
      created_at: expect.any(String) as string,
    });
  });

  test.each(reportType.options)('accepts a report of the type %s', async (report_type) => {
    const body = bodyOf(ids[3] ?? '', { report_type });
    expect((await ann.call(reportMessage, { body })).report.report_type).toBe(report_type);
  });

  test('rejects a report without a valid type and a description of 10 to 500 characters', async () => {
    const wrong = async (overrides: object, field: string, error: string) => {
      const body = bodyOf(ids[0] ?? '', overrides);
      await expectRefused(ann.call(reportMessage, { body }), 400, {
        error,
        fields: { [field]: error },
      });
    };
    await wrong({ report_type: 'boring' }, 'report_type', 'Invalid input');
    await wrong({ report_type: undefined }, 'report_type', 'Required');
    await wrong({ description: 'too short' }, 'description', 'Invalid input');
    await wrong({ description: `  ${'x'.repeat(9)}  ` }, 'description', 'Invalid input');
    await wrong({ description: 'x'.repeat(501) }, 'description', 'Invalid input');
    await wrong({ message_id: '' }, 'message_id', 'Required');
    const longest = bodyOf(ids[0] ?? '', { description: 'x'.repeat(500) });
    expect((await ann.call(reportMessage, { body: longest })).report.description).toHaveLength(500);
  });

  test('allows reports only by the receiver of a message and about its author', async () => {
    const stranger = await api.as('stranger@example.com');
    const missing = { error: 'Message not found', code: 'not_found' };
    const body = bodyOf(ids[0] ?? '');
    await expectRefused(stranger.call(reportMessage, { body }), 404, missing);
    await expectRefused(wolf.call(reportMessage, { body }), 404, missing);
    const another = bodyOf(ids[0] ?? '', { reported_user_id: stranger.user.id });
    await expectRefused(ann.call(reportMessage, { body: another }), 404, missing);
    await expectRefused(ann.call(reportMessage, { body: bodyOf('no.such') }), 404, missing);
  });

  test('creates one report per message and appends further descriptions', async () => {
    const body = bodyOf(ids[5] ?? '');
    const [first, again] = await Promise.all([
      ann.call(reportMessage, { body, idempotencyKey: 'k' }),
      ann.call(reportMessage, { body, idempotencyKey: 'k' }),
    ]);
    expect(again).toEqual(first);
    await api.db.collection('messages').deleteMany({ sender_user_id: wolf.user.id });
    const more = bodyOf(ids[5] ?? '', {
      report_type: 'violence',
      description: 'Now he threatens me',
    });
    // A repeated description is added once.
    for (const sent of [more, body, more])
      expect((await ann.call(reportMessage, { body: sent })).report).toEqual({
        ...first.report,
        description: `${first.report.description}\n\n(violence) Now he threatens me`,
      });
    const { message_id } = body;
    expect(await api.db.collection('message_reports').countDocuments({ message_id })).toBe(1);
  });

  test('stores the message and its context as evidence after the thread is deleted', async () => {
    const { id } = await reported();
    await api.db.collection('messages').deleteMany({ sender_user_id: wolf.user.id });
    const { report, evidence } = await admin.call(getReport, { params: { id } });
    expect(report).toMatchObject({
      reporter: { user_id: ann.user.id, name: 'Ann' },
      reported: { user_id: wolf.user.id, name: 'Wolf' },
      admin_notes: null,
    });
    expect(evidence.messages.map(({ message_text }) => message_text)).toEqual(
      Array.from({ length: 16 }, (_, i) => `line ${i + 2}`),
    );
    expect(evidence.messages[10]).toMatchObject({
      id: ids[12],
      sender_user_id: wolf.user.id,
      receiver_user_id: ann.user.id,
    });
    await expectRefused(admin.call(getReport, { params: { id: 'none' } }), 404, {
      error: 'Report not found',
    });
  });
});

test('filters and pages through the queue of reports', async () => {
  const first = await reported(ids[0]);
  const later = await reported(ids[1]);
  const query = { reported_user_id: wolf.user.id };
  const newest = await admin.call(listReports, { query: { ...query, limit: 1 } });
  expect(newest.reports.map(({ id }) => id)).toEqual([later.id]);
  expect(newest.total).toBe(2);
  const cursor = newest.next_cursor ?? '';
  const next = await admin.call(listReports, { query: { ...query, limit: 1, cursor } });
  expect(next.reports.map(({ id }) => id)).toEqual([first.id]);
  expect(next.next_cursor).toBeNull();
  await admin.call(decideReport, {
    params: { id: first.id },
    body: { version: 0, status: 'dismissed' },
  });
  const pending = await admin.call(listReports, { query: { ...query, status: 'pending' } });
  expect(pending.reports.map(({ id }) => id)).toEqual([later.id]);
  expect(pending.counts.dismissed).toBeGreaterThan(0);
  const spam = await admin.call(listReports, { query: { ...query, report_type: 'spam' } });
  expect(spam.reports).toEqual([]);
});

describe('a decision', () => {
  const sanction = {
    warning_type: 'restriction' as const,
    severity: 'moderate' as const,
    reason: 'You kept writing after a no.',
  };
  const resolved = {
    version: 0,
    status: 'resolved' as const,
    admin_notes: 'Clear case',
    sanction,
  };

  test('a decision changes the report, sanctions the author and is logged and audited', async () => {
    const { id } = await reported();
    const { report } = await admin.call(decideReport, { params: { id }, body: resolved });
    expect(report).toMatchObject({ status: 'resolved', admin_notes: 'Clear case', version: 1 });
    expect(report.resolved_at).not.toBeNull();
    const { warnings } = await wolf.call(listWarnings);
    expect(warnings).toMatchObject([
      { ...sanction, issued_by_admin: true, is_acknowledged: false },
    ]);
    // The message and the rule.
    const [message] = (await admin.call(getReport, { params: { id } })).evidence.messages.filter(
      (each) => each.id === ids[12],
    );
    expect(warnings[0]?.about).toEqual({
      report_type: report.report_type,
      message_text: message?.message_text,
    });
    expect(message?.message_text).toBeTruthy();
    const { entries } = await admin.call(listLog, { query: { user_id: wolf.user.id } });
    expect(entries).toMatchObject([
      {
        message_id: ids[12],
        moderation_type: 'report',
        action_taken: 'warning_sent',
        warning_type: sanction.warning_type,
        admin_user_id: admin.user.id,
        user: { name: 'Wolf' },
      },
    ]);
    const audited = await admin.call(auditLog, { query: { subject_id: id } });
    expect(audited.entries).toMatchObject([
      {
        act: 'report.decide',
        admin_user_id: admin.user.id,
        before: { status: 'pending' },
        after: { status: 'resolved' },
        reason: 'Clear case',
      },
    ]);
    // The reporter sees the status only.
    const again = await ann.call(reportMessage, { body: bodyOf(ids[12] ?? '') });
    expect(again.report).toEqual(expect.not.objectContaining({ admin_notes: 'Clear case' }));
    expect(again.report.status).toBe('resolved');
  });

  test('applies a decision once, however often it is sent', async () => {
    const { id } = await reported();
    const sent = { params: { id }, body: resolved, idempotencyKey: id };
    const first = await admin.call(decideReport, sent);
    expect(await admin.call(decideReport, sent)).toEqual(first);
    expect((await wolf.call(listWarnings)).warnings).toHaveLength(1);
  });

  test('accepts only one of two simultaneous decisions', async () => {
    const { id } = await reported();
    const outcomes = await Promise.allSettled(
      [admin, second].map((moderator) =>
        moderator.call(decideReport, { params: { id }, body: resolved }),
      ),
    );
    expect(outcomes.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
    expect((await wolf.call(listWarnings)).warnings).toHaveLength(1);
    // The moderator who decided gets the same response again.
    const loser = outcomes[0]?.status === 'fulfilled' ? second : admin;
    await expectRefused(loser.call(decideReport, { params: { id }, body: resolved }), 409, {
      code: 'edited_meanwhile',
    });
  });

  test('accepts consequences only for an upheld report', async () => {
    const { id } = await reported();
    for (const status of ['dismissed', 'reviewed'] as const)
      await expectRefused(
        admin.call(decideReport, { params: { id }, body: { ...resolved, status } }),
        400,
        { error: 'Reports have consequences only if they’re confirmed' },
      );
    const body = { version: 0, status: 'reviewed' as const };
    const { report } = await admin.call(decideReport, { params: { id }, body });
    expect(report).toMatchObject({ status: 'reviewed', resolved_at: null, version: 1 });
    expect((await wolf.call(listWarnings)).warnings).toEqual([]);
    await expectRefused(admin.call(decideReport, { params: { id: 'none' }, body }), 404, {
      error: 'Report not found',
    });
  });

  test('rejects sanctions against an administrator', async () => {
    const [message_id = ''] = await written(api.db, second.user.id, ann.user.id, ['hello']);
    const body = bodyOf(message_id, { reported_user_id: second.user.id });
    const { id } = (await ann.call(reportMessage, { body })).report;
    await expectRefused(admin.call(decideReport, { params: { id }, body: resolved }), 409, {
      error: 'You can’t sanction an administrator',
    });
  });

  test('hides reports about an administrator from that administrator', async () => {
    const [message_id = ''] = await written(api.db, second.user.id, ann.user.id, ['hello']);
    const body = bodyOf(message_id, { reported_user_id: second.user.id });
    const { id } = (await ann.call(reportMessage, { body })).report;
    const notFound = { error: 'Report not found' };
    await expectRefused(second.call(getReport, { params: { id } }), 404, notFound);
    const dismissed = { version: 0, status: 'dismissed' as const };
    await expectRefused(
      second.call(decideReport, { params: { id }, body: dismissed }),
      404,
      notFound,
    );
    const listed = async (person: TestPerson) =>
      (await person.call(listReports, { query: {} })).reports.some((report) => report.id === id);
    expect([await listed(admin), await listed(second)]).toEqual([true, false]);
    await admin.call(decideReport, { params: { id }, body: dismissed });
  });

  test('rejects consequences for a deleted account', async () => {
    const { id } = await reported();
    await wolf.call(deleteAccount, { body: { confirmation: 'delete my account' } });
    await expectRefused(admin.call(decideReport, { params: { id }, body: resolved }), 409, {
      error: 'This account has been deleted, so it can’t be sanctioned.',
    });
    const body = { version: 0, status: 'resolved' as const };
    const { report } = await admin.call(decideReport, { params: { id }, body });
    expect(report.status).toBe('resolved');
    const { entries } = await admin.call(listLog, { query: { user_id: wolf.user.id } });
    expect(entries).toEqual([]);
  });

  test('the background job completes a decision that a crash interrupted', async () => {
    const { id } = await reported();
    await admin.call(decideReport, { params: { id }, body: resolved });
    await api.db.collection('user_warnings').deleteMany({ user_id: wolf.user.id });
    await api.db
      .collection<{ _id: string }>('message_reports')
      .updateOne({ _id: id }, { $set: { is_carried_out: false } });
    await api.runJobs();
    await expect
      .poll(async () => (await wolf.call(listWarnings)).warnings.map(({ reason }) => reason))
      .toEqual([sanction.reason]);
  });
});

test('the account export contains the reports that a user made and none about them', async () => {
  await reported();
  const exportedModeration = async (person: TestPerson) => {
    const answer = await person.jar.fetch(`${api.origin}/api${exportAccount.path}`);
    const files = unzip(Buffer.from(await answer.arrayBuffer()));
    return JSON.parse(files.get('moderation.json')?.toString() ?? 'null') as unknown;
  };
  expect(await exportedModeration(ann)).toMatchObject({
    warnings: [],
    reports: [{ message_id: ids[12], description: 'He will not stop.' }],
  });
  expect(await exportedModeration(wolf)).toEqual({ warnings: [], reports: [] });
});
