import { afterAll, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest';
import { WebSocket } from 'ws';
import { deleteAccount } from '#shared/account/contract.ts';
import { auditLog } from '#shared/admin/contract.ts';
import { createFriendRequest, listFriends } from '#shared/friends/contract.ts';
import {
  answerAppeal,
  issueWarning,
  liftWarning,
  listAllWarnings,
  recordNotice,
  type AdminWarning,
} from '#shared/moderation/admin-contract.ts';
import {
  acknowledgeWarning,
  appealWarning,
  listGuidelines,
  listWarnings,
} from '#shared/moderation/contract.ts';
import type { WarningType } from '#shared/moderation/rules.ts';
import { getProfile } from '#shared/profile/contract.ts';
import { me } from '#shared/session/contract.ts';
import { startTestApi, type TestApi, type TestPerson } from '../api.ts';
import { listen } from '../events/listen.ts';
import { makeProfile } from '../factories.ts';
import { expectRefused } from '../refusals.ts';

let api: TestApi;
let admin: TestPerson;
let wolf: TestPerson;
let count = 0;
beforeAll(async () => {
  api = await startTestApi(inject('mongodbUri'));
  admin = await api.asAdmin();
});
afterAll(() => api.close());
beforeEach(async () => {
  wolf = await api.as(`wolf${++count}@example.com`);
  await makeProfile(wolf, { display_name: 'Wolf' });
});

const REASON = 'You insulted people.';
async function sanction(
  warning_type: WarningType,
  overrides: object = {},
  person = wolf,
): Promise<AdminWarning> {
  const body = {
    user_id: person.user.id,
    warning_type,
    severity: 'moderate' as const,
    reason: REASON,
    ...overrides,
  };
  return (await admin.call(issueWarning, { body })).warning;
}
const SUSPENDED = { error: 'Your account is suspended', code: 'suspended' };
const RESTRICTED = { error: 'You can’t send messages right now', code: 'restricted' };
const daysBetween = ({ created_at, expires_at }: AdminWarning) =>
  (Date.parse(expires_at ?? '') - Date.parse(created_at)) / 86_400_000;

/** Lets time pass for a sanction, and has the api look. */
async function expire(id: string): Promise<void> {
  const past = new Date(Date.now() - 1_000);
  await api.db
    .collection<{ _id: string }>('user_warnings')
    .updateOne({ _id: id }, { $set: { expires_at: past, due_at: past } });
  await api.runJobs();
}
const emailsTo = async (to: string) =>
  (await api.db.collection('sandbox_sent').find({ 'message.to': to }).toArray()).map(
    ({ message }) => message as { subject: string; text: string },
  );

describe('a warning', () => {
  test('only the sanctioned user can list and acknowledge a warning', async () => {
    const { id } = await sanction('warning', { severity: 'minor' });
    expect(await wolf.call(listWarnings)).toEqual({
      warnings: [
        {
          id,
          warning_type: 'warning',
          reason: REASON,
          severity: 'minor',
          issued_by_admin: true,
          created_at: expect.any(String) as string,
          expires_at: expect.any(String) as string,
          is_acknowledged: false,
          lifted_at: null,
          appeal: null,
        },
      ],
    });
    const other = await api.as('other@example.com');
    const missing = { error: 'Warning not found', code: 'not_found' };
    await expectRefused(other.call(acknowledgeWarning, { params: { id } }), 404, missing);
    const sent = { params: { id }, idempotencyKey: 'seen' };
    const first = await wolf.call(acknowledgeWarning, sent);
    expect(first.warning.is_acknowledged).toBe(true);
    expect(await wolf.call(acknowledgeWarning, sent)).toEqual(first);
    expect(await wolf.call(acknowledgeWarning, { params: { id } })).toEqual(first);
    expect((await other.call(listWarnings)).warnings).toEqual([]);
    // A repeat publishes no signal.
    const ownSignals = { topic: 'moderation', user_id: wolf.user.id };
    const signals = await api.db.collection('signals').countDocuments(ownSignals);
    await wolf.call(acknowledgeWarning, { params: { id } });
    expect(await api.db.collection('signals').countDocuments(ownSignals)).toBe(signals);
  });

  test('an acknowledgment of an outdated version does not count', async () => {
    const { id, version } = await sanction('warning');
    const body = { is_lifted: false, is_answered: false };
    await admin.call(liftWarning, { params: { id }, body: { version } });
    const late = await wolf.call(acknowledgeWarning, { params: { id }, body });
    expect(late.warning.is_acknowledged).toBe(false);
    const seen = { ...body, is_lifted: true };
    const { warning } = await wolf.call(acknowledgeWarning, { params: { id }, body: seen });
    expect(warning.is_acknowledged).toBe(true);
  });

  test('uses the default duration of each sanction or the one from the moderator', async () => {
    expect(daysBetween(await sanction('warning'))).toBe(180);
    expect(daysBetween(await sanction('restriction'))).toBe(7);
    expect(daysBetween(await sanction('restriction', { days: 2 }))).toBe(2);
    expect(daysBetween(await sanction('suspension'))).toBe(30);
    const termination = await sanction('termination', { days: 5, law_enforcement_notice: true });
    expect(termination).toMatchObject({ expires_at: null, law_enforcement_notice: true });
  });

  test('a law enforcement notice is due until a moderator records it', async () => {
    const ended = await sanction('termination', { law_enforcement_notice: true });
    expect(ended).toMatchObject({ is_notice_due: true, notice: null });
    // Only terminations have one.
    expect(await sanction('suspension', { law_enforcement_notice: true })).toMatchObject({
      is_notice_due: false,
    });
    const due = async () =>
      (await admin.call(listAllWarnings, { query: { notice: 'due' } })).warnings.map(
        ({ id }) => id,
      );
    expect(await due()).toContain(ended.id);
    expect((await emailsTo(wolf.user.email)).map(({ text }) => text).join()).toContain(
      'a moderator also notifies law enforcement',
    );
    const params = { id: ended.id };
    const version = (await admin.call(listAllWarnings, { query: { notice: 'due' } })).warnings.find(
      ({ id }) => id === ended.id,
    )!.version;
    const body = {
      version,
      authority: 'Springfield Police',
      reference: 'A-17',
      sent_on: new Date().toISOString().slice(0, 10),
    };
    const early = { ...body, sent_on: '2020-01-01' };
    await expectRefused(admin.call(recordNotice, { params, body: early }), 400);
    await expectRefused(
      admin.call(recordNotice, { params, body: { ...body, authority: ' ' } }),
      400,
    );
    await expectRefused(wolf.call(recordNotice, { params, body }), 403);
    const { warning } = await admin.call(recordNotice, { params, body });
    const { version: _, ...notice } = body;
    expect(warning).toMatchObject({ is_notice_due: false, notice });
    expect(await due()).not.toContain(ended.id);
    await expectRefused(
      admin.call(recordNotice, { params, body: { ...body, version: warning.version } }),
      409,
      { error: 'No law enforcement notice is due' },
    );
    const { entries } = await admin.call(auditLog, { query: { subject_id: ended.id } });
    expect(entries.map(({ act }) => act)).toContain('warning.notice');
  });

  test('no law enforcement notice is due for a termination that was reversed', async () => {
    const { id, version } = await sanction('termination', { law_enforcement_notice: true });
    const { warning } = await admin.call(liftWarning, { params: { id }, body: { version } });
    expect(warning.is_notice_due).toBe(false);
  });

  test('a law enforcement notice stays due when the account is deleted, without its id', async () => {
    const { id } = await sanction('termination', { law_enforcement_notice: true });
    await wolf.call(deleteAccount, { body: { confirmation: 'delete my account' } });
    await expect
      .poll(async () =>
        (await admin.call(listAllWarnings, { query: { notice: 'due' } })).warnings.find(
          (each) => each.id === id,
        ),
      )
      .toMatchObject({ user: { name: null }, is_notice_due: true });
    const row = await api.db.collection<{ _id: string }>('user_warnings').findOne({ _id: id });
    expect(JSON.stringify(row)).not.toContain(wolf.user.id);
  });

  test('rejects a sanction without a reason, a valid type or severity, or against an administrator', async () => {
    await expectRefused(sanction('warning', { reason: ' ' }), 400, { error: 'Required' });
    await expectRefused(sanction('warning', { reason: 'x'.repeat(501) }), 400, {
      error: 'Invalid input',
    });
    await expectRefused(sanction('exile' as WarningType), 400, { error: 'Invalid input' });
    await expectRefused(sanction('warning', { days: 366 }), 400, { error: 'Invalid input' });
    for (const severity of ['minor', 'moderate', 'severe'] as const)
      expect(await sanction('warning', { severity })).toMatchObject({ severity });
    await expectRefused(sanction('warning', { severity: 'high' as 'severe' }), 400, {
      error: 'Invalid input',
    });
    await expectRefused(sanction('warning', { user_id: 'nobody' }), 404, {
      error: 'User not found',
    });
    await expectRefused(sanction('warning', {}, admin), 409, {
      error: 'You can’t sanction an administrator',
    });
  });

  test('announces a sanction on the event stream at once', async () => {
    const stream = await listen(api.origin, wolf);
    await sanction('warning');
    expect(await stream.next('moderation')).toEqual({ type: 'moderation' });
    stream.close();
  });
});

describe('a restriction', () => {
  test('a restriction prevents messages to others and nothing else, and is announced by email', async () => {
    const friend = await api.as('friend@example.com');
    await sanction('restriction');
    const body = { receiver_user_id: friend.user.id };
    await expectRefused(
      wolf.call(createFriendRequest, { body: { ...body, message: 'Hello' } }),
      403,
      RESTRICTED,
    );
    await wolf.call(createFriendRequest, { body });
    expect((await wolf.call(getProfile)).display_name).toBe('Wolf');
    const [email] = await emailsTo(wolf.user.email);
    expect(email?.subject).toContain('You can’t send messages right now');
    expect(email?.text).toContain(REASON);
  });

  test('sends no email about sanctions to an unverified address', async () => {
    const unproven = { $set: { email_verified: false } };
    await api.db.collection('users').updateOne({ _id: wolf.user.id as never }, unproven);
    const { id, version } = await sanction('restriction');
    await admin.call(liftWarning, { params: { id }, body: { version } });
    await sanction('suspension');
    expect(await emailsTo(wolf.user.email)).toEqual([]);
  });

  test('a restriction ends by itself', async () => {
    const { id } = await sanction('restriction', { days: 1 });
    await expire(id);
    const friend = await api.as('later@example.com');
    await expect
      .poll(() =>
        wolf
          .call(createFriendRequest, {
            body: { receiver_user_id: friend.user.id, message: 'Hello' },
          })
          .then(
            () => 'sent',
            () => 'refused',
          ),
      )
      .toBe('sent');
  });
});

/** Opens the sync socket as a browser does. */
const dial = (person: TestPerson) =>
  new Promise<{ socket: WebSocket; isOpen: boolean }>((resolve) => {
    const cookie = [...person.jar.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const socket = new WebSocket(`ws://127.0.0.1:${api.syncPort}/sync`, { headers: { cookie } });
    socket.on('open', () => resolve({ socket, isOpen: true }));
    socket.on('error', () => resolve({ socket, isOpen: false }));
  });

describe('a suspension', () => {
  test('a suspension rejects calls, closes streams and sockets, and leaves access to warnings', async () => {
    const stream = await listen(api.origin, wolf);
    const before = await dial(wolf);
    expect(before.isOpen).toBe(true);
    const closed = new Promise((resolve) => before.socket.on('close', resolve));

    const { id } = await sanction('suspension');

    await expectRefused(wolf.call(listFriends), 403, SUSPENDED);
    await stream.ended;
    await closed;
    expect((await dial(wolf)).isOpen).toBe(false);
    expect((await wolf.call(me)).id).toBe(wolf.user.id);
    expect((await wolf.call(listWarnings)).warnings[0]?.id).toBe(id);
    expect((await wolf.call(listGuidelines)).guidelines.length).toBeGreaterThan(6);

    await expire(id);
    await expect.poll(() => wolf.call(listFriends).catch(() => null)).toEqual({ friends: [] });
    const again = await dial(wolf);
    expect(again.isOpen).toBe(true);
    again.socket.close();
  });

  test('a ban applies to a new account with the same email address', async () => {
    const before = wolf.user.id;
    await sanction('termination');
    await wolf.call(deleteAccount, { body: { confirmation: 'delete my account' } });
    const back = await api.as(wolf.user.email, { access: false });
    expect(back.user.id).not.toBe(before);
    const { warnings } = await back.call(listWarnings);
    expect(warnings).toMatchObject([
      { warning_type: 'termination', reason: REASON, issued_by_admin: false, expires_at: null },
    ]);
    await expect
      .poll(() => back.call(listFriends).catch((error: { code: string }) => error.code))
      .toMatch(/suspended|no_access/);
    const row = await api.db
      .collection<{ _id: string }>('users')
      .findOne<{ suspended_until: Date }>({ _id: back.user.id });
    expect(row?.suspended_until.getFullYear()).toBeGreaterThan(9000);
  });
});

describe('an appeal', () => {
  const text = 'It was my brother, and I am sorry.';

  test('accepts one appeal of 10 to 1000 characters per active sanction, from the sanctioned user only', async () => {
    const { id } = await sanction('suspension');
    const params = { id };
    for (const wrong of ['too short', 'x'.repeat(1_001)])
      await expectRefused(wolf.call(appealWarning, { params, body: { text: wrong } }), 400, {
        fields: { text: 'Invalid input' },
      });
    const other = await api.as('nosy@example.com');
    await expectRefused(other.call(appealWarning, { params, body: { text } }), 404, {
      error: 'Warning not found',
    });
    const sent = { params, body: { text }, idempotencyKey: 'appeal' };
    const { warning } = await wolf.call(appealWarning, sent);
    expect(warning.appeal).toMatchObject({ text, status: 'pending', answer: null });
    expect(await wolf.call(appealWarning, sent)).toEqual({ warning });
    await expectRefused(wolf.call(appealWarning, { params, body: { text } }), 409, {
      code: 'appealed',
    });
    const over = await sanction('restriction', { days: 1 });
    await admin.call(liftWarning, { params: { id: over.id }, body: { version: over.version } });
    await expectRefused(
      wolf.call(appealWarning, { params: { id: over.id }, body: { text } }),
      409,
      { code: 'over' },
    );
  });

  test('a moderator answers an appeal once and can lift the sanction', async () => {
    const { id } = await sanction('suspension');
    await wolf.call(appealWarning, { params: { id }, body: { text } });
    await wolf.call(acknowledgeWarning, { params: { id } });
    const { warnings, pending_appeals } = await admin.call(listAllWarnings, {
      query: { appeal: 'pending', user_id: wolf.user.id },
    });
    expect(pending_appeals).toBeGreaterThan(0);
    expect(warnings).toMatchObject([{ id, user: { name: 'Wolf' }, appeal: { text } }]);
    const version = warnings[0]?.version ?? 0;
    const body = { version, status: 'lifted' as const, answer: 'We believe you.' };
    await expectRefused(
      admin.call(answerAppeal, { params: { id }, body: { ...body, answer: '' } }),
      400,
      { error: 'Required' },
    );
    await expectRefused(
      admin.call(answerAppeal, { params: { id }, body: { ...body, version: version - 1 } }),
      409,
      { code: 'edited_meanwhile' },
    );
    const answered = await admin.call(answerAppeal, { params: { id }, body });
    expect(answered.warning.appeal).toMatchObject({ status: 'lifted', answer: 'We believe you.' });
    expect(answered.warning.lifted_at).not.toBeNull();
    await expect.poll(() => wolf.call(listFriends).catch(() => null)).toEqual({ friends: [] });
    await expectRefused(admin.call(answerAppeal, { params: { id }, body }), 409, {
      code: 'edited_meanwhile',
    });
    // The acknowledgment was of the sanction before the answer.
    expect(await wolf.call(listWarnings)).toMatchObject({ warnings: [{ is_acknowledged: false }] });
    const { entries } = await admin.call(auditLog, { query: { subject_id: id } });
    expect(entries.map(({ act }) => act)).toEqual(['appeal.answer', 'warning.issue']);
    // The audit log outlives the account, so it contains no appeal texts.
    expect(entries[0]).toMatchObject({
      before: { lifted_at: null, appeal: 'pending' },
      after: { appeal: 'lifted' },
    });
    // A suspended user gets one email, also when the jobs run again.
    const subjects = async () => (await emailsTo(wolf.user.email)).map(({ subject }) => subject);
    const granted = /: Your appeal was granted$/u;
    await expect.poll(subjects).toContainEqual(expect.stringMatching(granted));
    await api.runJobs();
    expect((await subjects()).filter((subject) => granted.test(subject))).toHaveLength(1);
    const [email] = (await emailsTo(wolf.user.email)).filter(({ subject }) =>
      granted.test(subject),
    );
    expect(email?.text).toContain('> We believe you.');
    await expectRefused(admin.call(answerAppeal, { params: { id: 'none' }, body }), 404, {
      error: 'Warning not found',
    });
  });

  test('lifting a sanction grants its appeal, which can’t be answered afterward', async () => {
    const { id } = await sanction('restriction');
    await wolf.call(appealWarning, { params: { id }, body: { text } });
    const { warning } = await admin.call(liftWarning, { params: { id }, body: { version: 1 } });
    expect(warning.appeal).toMatchObject({ text, status: 'lifted', answer: null });
    const body = { version: warning.version, status: 'upheld' as const, answer: 'It stands.' };
    await expectRefused(admin.call(answerAppeal, { params: { id }, body }), 409, {
      code: 'edited_meanwhile',
    });
  });

  test('a rejected appeal leaves the sanction in force', async () => {
    const { id } = await sanction('suspension');
    const { warning } = await wolf.call(appealWarning, { params: { id }, body: { text } });
    expect(warning.appeal?.status).toBe('pending');
    const body = { version: 1, status: 'upheld' as const, answer: 'We looked at it again.' };
    await admin.call(answerAppeal, { params: { id }, body });
    await expectRefused(wolf.call(listFriends), 403, SUSPENDED);
    expect((await wolf.call(listWarnings)).warnings[0]?.appeal?.answer).toBe(body.answer);
    const about = async (words: string) =>
      (await emailsTo(wolf.user.email)).filter(({ subject }) => subject.endsWith(words));
    await expect.poll(() => about('Your appeal was not granted')).toHaveLength(1);
    const [email] = await about('Your appeal was not granted');
    expect(email?.text).toContain('> We looked at it again.');
    expect(email?.text).toMatch(/This ends on \w+ \d+, \d{4}\./u);
    expect(await about('Your account is suspended')).not.toEqual([]);

    // Lifting without an appeal is announced too, except for a warning, which restricts nothing.
    const before = (await about('Your account is active again')).length;
    await admin.call(liftWarning, { params: { id }, body: { version: 2 } });
    await expect.poll(() => about('Your account is active again')).toHaveLength(before + 1);
    const plain = await sanction('warning');
    const all = (await emailsTo(wolf.user.email)).length;
    await admin.call(liftWarning, { params: { id: plain.id }, body: { version: plain.version } });
    expect(await emailsTo(wolf.user.email)).toHaveLength(all);
  });
});

test('the longer of two suspensions stays in force when the other is lifted', async () => {
  const short = await sanction('suspension', { days: 1 });
  const long = await sanction('suspension', { days: 9 });
  const lift = ({ id, version }: AdminWarning) =>
    admin.call(liftWarning, { params: { id }, body: { version } });
  await lift(short);
  await expectRefused(wolf.call(listFriends), 403, SUSPENDED);
  await lift(long);
  await expect.poll(() => wolf.call(listFriends).catch(() => null)).toEqual({ friends: [] });
  await expectRefused(lift(long), 409, { code: 'edited_meanwhile' });
});
