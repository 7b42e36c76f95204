import { afterAll, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest';
import { deleteAccount, DELETION_WORDS } from '#shared/account/contract.ts';
import { auditLog } from '#shared/admin/contract.ts';
import {
  answerAppeal,
  decideReport,
  listAllWarnings,
  listQueue,
  listReports,
  releaseReport,
  takeAppeal,
  takeReport,
  undoDecision,
} from '#shared/moderation/admin-contract.ts';
import {
  appealWarning,
  listOwnReports,
  listWarnings,
  reportMessage,
  type ReportType,
} from '#shared/moderation/contract.ts';
import { actOnPerson } from '#shared/moderation/people-contract.ts';
import { userWarnings } from '../../../api/features/moderation/collections.ts';
import { startTestApi, type TestApi, type TestPerson } from '../../api.ts';
import { makeProfile } from '../../factories.ts';
import { expectRefused } from '../../refusals.ts';
import { written } from '../insert-messages.ts';

let api: TestApi;
let admin: TestPerson;
let second: TestPerson;
let count = 0;
let wolf: TestPerson;
let ann: TestPerson;
let ids: string[];

beforeAll(async () => {
  api = await startTestApi(inject('mongodbUri'), {
    ADMIN_EMAILS: 'admin@example.com, second@example.com, third@example.com, leaves@example.com',
  });
  admin = await api.asAdmin();
  second = await api.as('second@example.com');
  await makeProfile(second, { display_name: 'Cleo' });
});
afterAll(() => api.close());
beforeEach(async () => {
  const number = ++count;
  wolf = await api.as(`wolf${number}@example.com`);
  ann = await api.as(`ann${number}@example.com`);
  await makeProfile(wolf, { display_name: 'Wolf' });
  await makeProfile(ann, { display_name: 'Ann' });
  ids = await written(api.db, wolf.user.id, ann.user.id, ['one', 'two', 'three', 'four']);
});

const reported = async (index = 0, report_type: ReportType = 'harassment') => {
  const message_id = ids[index] ?? '';
  const description = 'He will not stop.';
  const body = { reported_user_id: wolf.user.id, message_id, report_type, description };
  return (await ann.call(reportMessage, { body })).report;
};
const sanction = {
  warning_type: 'restriction',
  severity: 'moderate',
  reason: 'You kept writing after a no.',
} as const;
const resolved = { version: 0, status: 'resolved', sanction } as const;
const rows = (name: string) => api.db.collection<{ _id: string }>(name);
const statusOf = async (id: string) => {
  const { reports } = await admin.call(listReports, { query: { reported_user_id: wolf.user.id } });
  return reports.find((report) => report.id === id)?.status;
};
const emailsTo = async (to: string) =>
  (await api.db.collection('sandbox_sent').find({ 'message.to': to }).toArray()).map(
    ({ message }) => (message as { subject: string }).subject,
  );
/** Lets the time for an undo pass, and has the api look. */
async function letTakeEffect(id: string): Promise<void> {
  await rows('message_reports').updateOne(
    { _id: id },
    { $set: { held_until: new Date(Date.now() - 1) } },
  );
  await api.runJobs();
}

test('the queue has the gravest reports first, the oldest of each gravity first', async () => {
  const spam = await reported(0, 'spam');
  const harassment = await reported(1, 'harassment');
  const violence = await reported(2, 'violence');
  const underage = await reported(3, 'underage_content');
  const { reports, waiting } = await admin.call(listQueue);
  const own = reports.filter(({ reported_user_id }) => reported_user_id === wolf.user.id);
  expect(own.map(({ id }) => id)).toEqual([violence.id, underage.id, harassment.id, spam.id]);
  expect(waiting).toBe(reports.length);
  await admin.call(decideReport, {
    params: { id: violence.id },
    body: { version: 0, status: 'dismissed' },
  });
  const after = await admin.call(listQueue);
  expect(after.waiting).toBe(waiting - 1);
  expect(after.reports.map(({ id }) => id)).not.toContain(violence.id);
});

describe('a lease', () => {
  test('of two moderators who open a report at once, one gets it and the other is told by whom', async () => {
    const { id } = await reported();
    const params = { id };
    const outcomes = await Promise.allSettled(
      [admin, second].map((moderator) => moderator.call(takeReport, { params })),
    );
    expect(outcomes.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
    await rows('message_reports').updateOne({ _id: id }, { $unset: { lease: '' } });
    await second.call(takeReport, { params });
    const held = { code: 'taken', error: 'Cleo is working on this' };
    await expectRefused(admin.call(takeReport, { params }), 409, held);
    const { reports } = await admin.call(listQueue);
    expect(reports.find((report) => report.id === id)?.lease?.holder).toEqual({
      user_id: second.user.id,
      name: 'Cleo',
    });
    await expectRefused(admin.call(decideReport, { params, body: resolved }), 409, held);
    expect((await wolf.call(listWarnings)).warnings).toEqual([]);
    // A release by somebody else changes nothing.
    await admin.call(releaseReport, { params });
    await expectRefused(admin.call(takeReport, { params }), 409, held);
    await second.call(releaseReport, { params });
    await admin.call(takeReport, { params });
  });

  test('ends by itself, and with the decision', async () => {
    const { id } = await reported();
    const params = { id };
    await second.call(takeReport, { params });
    await rows('message_reports').updateOne(
      { _id: id },
      { $set: { 'lease.until': new Date(Date.now() - 1) } },
    );
    const { reports } = await admin.call(listQueue);
    expect(reports.find((report) => report.id === id)?.lease).toBeNull();
    await admin.call(takeReport, { params });
    const body = { version: 0, status: 'reviewed' } as const;
    await admin.call(decideReport, { params, body });
    await second.call(takeReport, { params });
  });

  test('is refused for what doesn’t exist', async () => {
    const error = 'Report not found';
    await expectRefused(admin.call(takeReport, { params: { id: 'none' } }), 404, { error });
  });
});

describe('a decision that can be undone', () => {
  const held = { ...resolved, undo_seconds: 10 } as const;

  test('has no effect until the time for an undo is over, and then has all', async () => {
    const { id } = await reported();
    const { report } = await admin.call(decideReport, { params: { id }, body: held });
    expect(report.status).toBe('resolved');
    await api.runJobs();
    expect((await wolf.call(listWarnings)).warnings).toEqual([]);
    const own = async () => (await ann.call(listOwnReports)).reports.map(({ status }) => status);
    expect(await own()).toEqual(['pending']);
    await letTakeEffect(id);
    expect((await wolf.call(listWarnings)).warnings).toMatchObject([sanction]);
    expect(await own()).toEqual(['resolved']);
    await expectRefused(
      admin.call(undoDecision, { params: { id }, body: { version: report.version } }),
      409,
      { error: 'This decision has taken effect' },
    );
  });

  test('is undone with everything as before, and can be decided in another way', async () => {
    const { id } = await reported();
    const params = { id };
    const notes = { version: 0, status: 'reviewed', admin_notes: 'Ask Cleo' } as const;
    await admin.call(decideReport, { params, body: notes });
    const body = { ...held, version: 1, admin_notes: 'Clear' };
    const { report } = await admin.call(decideReport, { params, body });
    // Only by who decided.
    const undoing = { params, body: { version: report.version } };
    await expectRefused(second.call(undoDecision, undoing), 409);
    const undone = await admin.call(undoDecision, undoing);
    expect(undone.report).toMatchObject({ status: 'reviewed', admin_notes: 'Ask Cleo' });
    await letTakeEffect(id);
    expect((await wolf.call(listWarnings)).warnings).toEqual([]);
    const { entries } = await admin.call(auditLog, { query: { subject_id: id } });
    expect(entries.map(({ act }) => act)).toEqual([
      'report.undo',
      'report.decide',
      'report.decide',
    ]);
    const again = { version: undone.report.version, status: 'dismissed' } as const;
    await admin.call(decideReport, { params, body: again });
    expect(await statusOf(id)).toBe('dismissed');
  });

  test('either takes effect or is undone when both happen at once', async () => {
    for (let round = 0; round < 4; round++) {
      const { id } = await reported(round);
      const params = { id };
      const { report } = await admin.call(decideReport, { params, body: held });
      const undoing = admin.call(undoDecision, { params, body: { version: report.version } });
      const effect = letTakeEffect(id);
      const isUndone = await undoing.then(
        () => true,
        () => false,
      );
      await effect;
      await api.runJobs();
      const { warnings } = await wolf.call(listWarnings);
      expect(warnings.some(({ reason }) => reason === sanction.reason)).toBe(!isUndone);
      expect(await statusOf(id)).toBe(isUndone ? 'pending' : 'resolved');
      await rows('user_warnings').deleteMany({ user_id: wolf.user.id });
    }
  });

  test('restores the flag of an account that the servers flagged again meanwhile', async () => {
    const flagged = { open_flag: `flag ${wolf.user.id}` };
    const { id } = await reported();
    await rows('message_reports').updateOne({ _id: id }, { $set: flagged });
    const params = { id };
    const { report } = await admin.call(decideReport, { params, body: held });
    await rows('message_reports').insertOne({ _id: `again ${id}`, ...flagged });
    await admin.call(undoDecision, { params, body: { version: report.version } });
    expect(await statusOf(id)).toBe('pending');
    await rows('message_reports').deleteOne({ _id: `again ${id}` });
  });
});

test('tells the reporter the outcome once, and nothing about the consequences', async () => {
  const { id } = await reported();
  const params = { id };
  await admin.call(decideReport, { params, body: { version: 0, status: 'reviewed' } });
  expect(await emailsTo(ann.user.email)).toEqual([]);
  const body = { ...resolved, version: 1 };
  await admin.call(decideReport, { params, body });
  await admin.call(decideReport, { params, body });
  await api.runJobs();
  const heading = expect.stringContaining('We looked at your report') as string;
  await expect.poll(() => emailsTo(ann.user.email)).toEqual([heading]);
  const toAnn = { 'message.to': ann.user.email };
  expect(JSON.stringify(await api.db.collection('sandbox_sent').find(toAnn).toArray())).toContain(
    'You were right: it breaks our community guidelines. Thank you for telling us.',
  );
  const { reports } = await ann.call(listOwnReports);
  expect(reports).toMatchObject([{ id, status: 'resolved', subject_type: 'message' }]);
  expect(JSON.stringify(reports)).not.toContain(sanction.reason);
  // Nobody else's.
  expect((await wolf.call(listOwnReports)).reports).toEqual([]);
});

describe('an appeal', () => {
  async function appealed(): Promise<{ id: string; version: number }> {
    const { id } = await reported();
    await admin.call(decideReport, { params: { id }, body: resolved });
    const { warnings } = await wolf.call(listWarnings);
    const params = { id: warnings[0]?.id ?? '' };
    await wolf.call(appealWarning, { params, body: { text: 'I meant the park, not her.' } });
    const answer = await second.call(listAllWarnings, { query: { user_id: wolf.user.id } });
    expect(answer.has_other_admin).toBe(true);
    expect(answer.warnings[0]).toMatchObject({ admin_user_id: admin.user.id, report_id: id });
    return { ...params, version: answer.warnings[0]?.version ?? 0 };
  }

  test('goes to another moderator than the one who decided', async () => {
    const { id, version } = await appealed();
    const params = { id };
    const body = { version, status: 'upheld', answer: 'It stays.' } as const;
    const own = { error: 'You made this decision, so another moderator answers the appeal' };
    await expectRefused(admin.call(takeAppeal, { params }), 409, own);
    await expectRefused(admin.call(answerAppeal, { params, body }), 409, own);
    await second.call(takeAppeal, { params });
    const { warning } = await second.call(answerAppeal, { params, body });
    expect(warning.appeal).toMatchObject({ status: 'upheld', answer: 'It stays.' });
  });

  /** A notice about a name that a moderator hid, with an appeal. */
  async function hiddenName(by: TestPerson): Promise<{ id: string }> {
    const act = { type: 'hide_name', name: 'Wolf' } as const;
    await by.call(actOnPerson, { params: { id: wolf.user.id }, body: { act } });
    const { warnings } = await wolf.call(listWarnings);
    expect(warnings).toMatchObject([{ issued_by_admin: false }]);
    const params = { id: warnings[0]?.id ?? '' };
    await wolf.call(appealWarning, { params, body: { text: 'That’s my name.' } });
    return params;
  }

  test('against a removal goes to another moderator than the one who removed', async () => {
    const params = await hiddenName(admin);
    await expectRefused(admin.call(takeAppeal, { params }), 409);
    const query = { user_id: wolf.user.id };
    const { warnings } = await second.call(listAllWarnings, { query });
    expect(warnings).toMatchObject([{ admin_user_id: admin.user.id, issued_by_admin: false }]);
    const body = { version: warnings[0]?.version ?? 0, status: 'upheld', answer: 'No.' } as const;
    await expectRefused(admin.call(answerAppeal, { params, body }), 409);
    await second.call(answerAppeal, { params, body });
  });

  test('against a removal doesn’t name the account of a moderator who is gone', async () => {
    const leaving = await api.as('leaves@example.com');
    const { id } = await hiddenName(leaving);
    await leaving.call(deleteAccount, { body: { confirmation: DELETION_WORDS } });
    const decidedBy = async () =>
      (await userWarnings(api.db).findOne({ _id: id }))?.decided_by ?? null;
    await expect.poll(decidedBy).toMatch(/^deleted-/);
  });

  test('isn’t answered by two: who opened it has it', async () => {
    const { id, version } = await appealed();
    const other = await api.as('third@example.com');
    const params = { id };
    await second.call(takeAppeal, { params });
    await expectRefused(other.call(takeAppeal, { params }), 409, { code: 'taken' });
    const body = { version, status: 'lifted', answer: 'Sorry.' } as const;
    await expectRefused(other.call(answerAppeal, { params, body }), 409, { code: 'taken' });
    await second.call(answerAppeal, { params, body });
  });

  test('is answered by who decided if nobody else can', async () => {
    const { id, version } = await appealed();
    const others = { _id: { $ne: admin.user.id }, is_admin: true };
    const ids = (await rows('users').find(others).toArray()).map(({ _id }) => _id);
    await rows('users').updateMany({ _id: { $in: ids } }, { $set: { is_admin: false } });
    const { has_other_admin } = await admin.call(listAllWarnings);
    expect(has_other_admin).toBe(false);
    const body = { version, status: 'upheld', answer: 'It stays.' } as const;
    await admin.call(answerAppeal, { params: { id }, body });
    await rows('users').updateMany({ _id: { $in: ids } }, { $set: { is_admin: true } });
  });
});
