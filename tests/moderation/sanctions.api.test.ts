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
  type AdminWarning,
} from '#shared/moderation/admin-contract.ts';
import {
  acknowledgeWarning,
  appealWarning,
  listGuidelines,
  listWarnings,
  type WarningType,
} from '#shared/moderation/contract.ts';
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
async function measured(
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
  await api.restartApi();
}
const letters = async (to: string) =>
  (await api.db.collection('sandbox_sent').find({ 'message.to': to }).toArray()).map(
    ({ message }) => message as { subject: string; text: string },
  );

describe('a warning', () => {
  test('is seen and acknowledged by the person concerned, and by nobody else', async () => {
    const { id } = await measured('warning', { severity: 'minor' });
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
    // The second time nobody needs to hear of it: the ring of signals is everybody's.
    const told = { topic: 'moderation', user_id: wolf.user.id };
    const signals = await api.db.collection('signals').countDocuments(told);
    await wolf.call(acknowledgeWarning, { params: { id } });
    expect(await api.db.collection('signals').countDocuments(told)).toBe(signals);
  });

  test('is acknowledged as it was seen: what a moderator did about it since is still to be told', async () => {
    const { id, version } = await measured('warning');
    const body = { is_lifted: false, is_answered: false };
    await admin.call(liftWarning, { params: { id }, body: { version } });
    const late = await wolf.call(acknowledgeWarning, { params: { id }, body });
    expect(late.warning.is_acknowledged).toBe(false);
    const seen = { ...body, is_lifted: true };
    const { warning } = await wolf.call(acknowledgeWarning, { params: { id }, body: seen });
    expect(warning.is_acknowledged).toBe(true);
  });

  test('lasts as the ladder has it, or as the moderator says', async () => {
    expect(daysBetween(await measured('warning'))).toBe(180);
    expect(daysBetween(await measured('restriction'))).toBe(7);
    expect(daysBetween(await measured('restriction', { days: 2 }))).toBe(2);
    expect(daysBetween(await measured('suspension'))).toBe(30);
    const termination = await measured('termination', { days: 5, law_enforcement_notice: true });
    expect(termination).toMatchObject({ expires_at: null, law_enforcement_notice: true });
  });

  test('needs a reason, a known type, and somebody who is no administrator', async () => {
    await expectRefused(measured('warning', { reason: ' ' }), 400, { error: 'Required' });
    await expectRefused(measured('warning', { reason: 'x'.repeat(501) }), 400, {
      error: 'Invalid input',
    });
    await expectRefused(measured('exile' as WarningType), 400, { error: 'Invalid input' });
    await expectRefused(measured('warning', { days: 366 }), 400, { error: 'Invalid input' });
    await expectRefused(measured('warning', { user_id: 'nobody' }), 404, {
      error: 'User not found',
    });
    await expectRefused(measured('warning', {}, admin), 409, {
      error: 'You can’t sanction an administrator',
    });
  });

  test('is told at once to whoever listens', async () => {
    const stream = await listen(api.origin, wolf);
    await measured('warning');
    expect(await stream.next('moderation')).toEqual({ type: 'moderation' });
    stream.close();
  });
});

describe('a restriction', () => {
  test('keeps from writing to people, and from nothing else', async () => {
    const friend = await api.as('friend@example.com');
    await measured('restriction');
    const body = { receiver_user_id: friend.user.id };
    await expectRefused(
      wolf.call(createFriendRequest, { body: { ...body, message: 'Hello' } }),
      403,
      RESTRICTED,
    );
    await wolf.call(createFriendRequest, { body });
    expect((await wolf.call(getProfile)).display_name).toBe('Wolf');
    const [letter] = await letters(wolf.user.email);
    expect(letter?.subject).toContain('You can’t send messages right now');
    expect(letter?.text).toContain(REASON);
  });

  test('is written of to nobody whose address is not proven to be theirs', async () => {
    const unproven = { $set: { email_verified: false } };
    await api.db.collection('users').updateOne({ _id: wolf.user.id as never }, unproven);
    const { id, version } = await measured('restriction');
    await admin.call(liftWarning, { params: { id }, body: { version } });
    await measured('suspension');
    expect(await letters(wolf.user.email)).toEqual([]);
  });

  test('ends by itself', async () => {
    const { id } = await measured('restriction', { days: 1 });
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

/** Opens the socket of documents as a browser does. */
const dial = (person: TestPerson) =>
  new Promise<{ socket: WebSocket; isOpen: boolean }>((resolve) => {
    const cookie = [...person.jar.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const socket = new WebSocket(`ws://127.0.0.1:${api.syncPort}/sync`, { headers: { cookie } });
    socket.on('open', () => resolve({ socket, isOpen: true }));
    socket.on('error', () => resolve({ socket, isOpen: false }));
  });

describe('a suspension', () => {
  test('refuses calls, closes streams and sockets, and leaves what one may still do', async () => {
    const stream = await listen(api.origin, wolf);
    const before = await dial(wolf);
    expect(before.isOpen).toBe(true);
    const closed = new Promise((resolve) => before.socket.on('close', resolve));

    const { id } = await measured('suspension');

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

  test('is not left behind with the account', async () => {
    const before = wolf.user.id;
    await measured('termination');
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

  test('has 10 to 1000 characters, one for each sanction that holds, by the person concerned', async () => {
    const { id } = await measured('suspension');
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
    const over = await measured('restriction', { days: 1 });
    await admin.call(liftWarning, { params: { id: over.id }, body: { version: over.version } });
    await expectRefused(
      wolf.call(appealWarning, { params: { id: over.id }, body: { text } }),
      409,
      { code: 'over' },
    );
  });

  test('is answered by a moderator, once, and may lift the sanction', async () => {
    const { id } = await measured('suspension');
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
    // What was acknowledged is not what it is now.
    expect(await wolf.call(listWarnings)).toMatchObject({ warnings: [{ is_acknowledged: false }] });
    const { entries } = await admin.call(auditLog, { query: { subject_id: id } });
    expect(entries.map(({ act }) => act)).toEqual(['appeal.answer', 'warning.issue']);
    // The log outlives the account, and what was written to moderators does not.
    expect(entries[0]).toMatchObject({
      before: { lifted_at: null, appeal: 'pending' },
      after: { appeal: 'lifted' },
    });
    // Whoever cannot come in learns of it by a letter, once, also if the api dies in between.
    const subjects = async () => (await letters(wolf.user.email)).map(({ subject }) => subject);
    const granted = /: Your appeal was granted$/u;
    await expect.poll(subjects).toContainEqual(expect.stringMatching(granted));
    await api.restartApi();
    expect((await subjects()).filter((subject) => granted.test(subject))).toHaveLength(1);
    const [letter] = (await letters(wolf.user.email)).filter(({ subject }) =>
      granted.test(subject),
    );
    expect(letter?.text).toContain('> We believe you.');
    await expectRefused(admin.call(answerAppeal, { params: { id: 'none' }, body }), 404, {
      error: 'Warning not found',
    });
  });

  test('is granted when the sanction is taken back, and then answered by nobody', async () => {
    const { id } = await measured('restriction');
    await wolf.call(appealWarning, { params: { id }, body: { text } });
    const { warning } = await admin.call(liftWarning, { params: { id }, body: { version: 1 } });
    expect(warning.appeal).toMatchObject({ text, status: 'lifted', answer: null });
    const body = { version: warning.version, status: 'upheld' as const, answer: 'It stands.' };
    await expectRefused(admin.call(answerAppeal, { params: { id }, body }), 409, {
      code: 'edited_meanwhile',
    });
  });

  test('that is not granted leaves the sanction as it is', async () => {
    const { id } = await measured('suspension');
    const { warning } = await wolf.call(appealWarning, { params: { id }, body: { text } });
    expect(warning.appeal?.status).toBe('pending');
    const body = { version: 1, status: 'upheld' as const, answer: 'We looked at it again.' };
    await admin.call(answerAppeal, { params: { id }, body });
    await expectRefused(wolf.call(listFriends), 403, SUSPENDED);
    expect((await wolf.call(listWarnings)).warnings[0]?.appeal?.answer).toBe(body.answer);
    const about = async (words: string) =>
      (await letters(wolf.user.email)).filter(({ subject }) => subject.endsWith(words));
    await expect.poll(() => about('Your appeal was not granted')).toHaveLength(1);
    const [letter] = await about('Your appeal was not granted');
    expect(letter?.text).toContain('> We looked at it again.');
    expect(letter?.text).toMatch(/This ends on \w+ \d+, \d{4}\./u);
    expect(await about('Your account is suspended')).not.toEqual([]);

    // What is lifted without an appeal is told, too; a warning keeps nobody from anything.
    const before = (await about('Your account is active again')).length;
    await admin.call(liftWarning, { params: { id }, body: { version: 2 } });
    await expect.poll(() => about('Your account is active again')).toHaveLength(before + 1);
    const plain = await measured('warning');
    const all = (await letters(wolf.user.email)).length;
    await admin.call(liftWarning, { params: { id: plain.id }, body: { version: plain.version } });
    expect(await letters(wolf.user.email)).toHaveLength(all);
  });
});

test('of two measures the longer one holds when the other is lifted', async () => {
  const short = await measured('suspension', { days: 1 });
  const long = await measured('suspension', { days: 9 });
  const lift = ({ id, version }: AdminWarning) =>
    admin.call(liftWarning, { params: { id }, body: { version } });
  await lift(short);
  await expectRefused(wolf.call(listFriends), 403, SUSPENDED);
  await lift(long);
  await expect.poll(() => wolf.call(listFriends).catch(() => null)).toEqual({ friends: [] });
  await expectRefused(lift(long), 409, { code: 'edited_meanwhile' });
});
