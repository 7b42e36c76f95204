import { afterAll, beforeAll, describe, expect, inject, test, vi } from 'vitest';
import { validateCode } from '#shared/access-gate/contract.ts';
import { issueWarning } from '#shared/moderation/admin-contract.ts';
import {
  createReferral,
  getReferralStats,
  trackAccess,
  type Referral,
  type referralFields,
} from '#shared/referrals/contract.ts';
import type { z } from 'zod';
import { startTestApi, type TestApi, type TestPerson } from '../api.ts';
import { makeCode, makeProfile } from '../factories.ts';
import { addRule } from '../moderation/visible-messages.ts';
import { expectRefused } from '../refusals.ts';
import type { SandboxSentRow } from '../../api/outbox/collections.ts';

type Fields = z.input<typeof referralFields>;

let api: TestApi;
let owner: TestPerson;
let admin: TestPerson;
beforeAll(async () => {
  api = await startTestApi(inject('mongodbUri'));
  admin = await api.asAdmin();
  owner = await api.as('owner@example.com');
  await makeProfile(owner, { display_name: 'Alex' });
});
afterAll(() => api.close());

let people = 0;
const freshPerson = () => api.as(`person-${++people}@example.com`);
const freshAddress = () => `friend-${++people}@example.com`;
const refer = async (person: TestPerson, body: Fields) =>
  (await person.call(createReferral, { body })).referral;
const byEmail = (person: TestPerson, recipient_email = freshAddress()) =>
  refer(person, { referral_method: 'email', recipient_email });
const stats = (person: TestPerson) => person.call(getReferralStats);

/** What the stand-in got for a referral, once it has. */
const sentFor = ({ id }: Referral) =>
  vi.waitFor(async () => {
    const row = await api.db
      .collection<SandboxSentRow>('sandbox_sent')
      .findOne({ _id: `referrals ${id}` });
    if (!row) throw new Error('not sent yet');
    return row.message;
  });

describe('an invitation', () => {
  test('by email goes out as a letter with the link, the words and a way to stop', async () => {
    const referral = await refer(owner, {
      referral_method: 'email',
      recipient_email: ' Kim@Example.COM ',
      message: ' Come and walk with us!\nRex says <b>hi</b> ',
    });
    expect(referral).toEqual({
      id: expect.any(String) as string,
      referrer_user_id: owner.user.id,
      referrer_name: 'Alex',
      referral_method: 'email',
      recipient_email: 'kim@example.com',
      recipient_phone: null,
      message: 'Come and walk with us!\nRex says <b>hi</b>',
      sent_at: expect.any(String) as string,
      access_code_used: null,
      accessed_at: null,
      delivery: 'waiting',
    });
    const letter = await sentFor(referral);
    if (letter.channel !== 'email') throw new Error(letter.channel);
    expect(letter).toMatchObject({
      to: 'kim@example.com',
      subject: 'Alex invites you to Leashwise',
    });
    expect(letter.text).toContain('> Come and walk with us!\n> Rex says <b>hi</b>');
    expect(letter.html).not.toContain('<b>');
    for (const body of [letter.text, letter.html]) {
      expect(body).toContain(`http://localhost:3000/?ref=${referral.id}`);
      expect(body).toContain(letter.unsubscribe_url);
    }
    await vi.waitFor(async () =>
      expect((await stats(owner)).recent_referrals[0]).toEqual({ ...referral, delivery: 'sent' }),
    );
  });

  test('by text message goes to the number as it is dialled', async () => {
    const referral = await refer(owner, {
      referral_method: 'sms',
      recipient_phone: '+1 (202) 555-0123',
      message: 'Join us',
    });
    expect(referral).toMatchObject({ recipient_phone: '+12025550123', recipient_email: null });
    const message = await sentFor(referral);
    expect(message).toMatchObject({ channel: 'sms', to: '+12025550123' });
    expect(message.text).toContain(`http://localhost:3000/?ref=${referral.id}`);
    expect(message.text).toContain('Alex writes: "Join us"');
    expect(message.text).toContain('Reply STOP');
  });

  test('by link sends nothing', async () => {
    const before = await api.db.collection('outbox').countDocuments();
    const referral = await refer(await freshPerson(), { referral_method: 'link' });
    expect(referral).toMatchObject({ referral_method: 'link', delivery: null });
    expect(await api.db.collection('outbox').countDocuments()).toBe(before);
  });

  test('says nothing that a mail program makes a link of, in the words or the name', async () => {
    const person = await freshPerson();
    await makeProfile(person, { display_name: 'Win at\r\nhttps://evil.example' });
    const referral = await refer(person, {
      referral_method: 'email',
      recipient_email: freshAddress(),
      message: 'see https://evil.example/x or www.evil.example or a@evil.example',
    });
    const letter = await sentFor(referral);
    if (letter.channel !== 'email') throw new Error(letter.channel);
    expect(letter.subject).toBe('Win at https: //evil. example invites you to Leashwise');
    for (const body of [letter.text, letter.html]) expect(body).not.toContain('evil.example');
  });

  test('carries the code that the admin gives to friends, as long as that lets anybody in', async () => {
    await api.restartApi({ REFERRAL_ACCESS_CODE: 'friends-2026' });
    try {
      expect((await stats(owner)).access_code).toBeNull();
      await makeCode(admin, { code: 'FRIENDS-2026', max_uses: 1 });
      expect((await stats(owner)).access_code).toBe('FRIENDS-2026');
      expect((await sentFor(await byEmail(owner))).text).toContain('FRIENDS-2026');
      const friend = await api.as('with-code@example.com', { access: false });
      await friend.call(validateCode, { body: { code: 'FRIENDS-2026' } });
      expect((await stats(owner)).access_code).toBeNull();
      expect((await sentFor(await byEmail(owner))).text).not.toContain('FRIENDS-2026');
    } finally {
      await api.restartApi();
    }
  });
});

describe('what does not fit', () => {
  test.each<[unknown, Record<string, string>]>([
    [{ referral_method: 'email' }, { recipient_email: 'Either email or phone number is required' }],
    [
      { referral_method: 'sms', recipient_phone: ' ', recipient_email: '' },
      { recipient_email: 'Either email or phone number is required' },
    ],
    [
      { referral_method: 'email', recipient_phone: '2025550123' },
      { recipient_email: 'Email address is required' },
    ],
    [
      { referral_method: 'sms', recipient_email: 'kim@example.com' },
      { recipient_phone: 'Phone number is required' },
    ],
    [
      { referral_method: 'email', recipient_email: 'not an address' },
      { recipient_email: 'Invalid email' },
    ],
    [
      { referral_method: 'email', recipient_email: 'kim@example.com, all@example.com' },
      { recipient_email: 'Invalid email' },
    ],
    [
      { referral_method: 'sms', recipient_phone: '202555012' },
      { recipient_phone: 'Invalid input' },
    ],
    [
      { referral_method: 'sms', recipient_phone: '+123456789012345' },
      { recipient_phone: 'Invalid input' },
    ],
    [
      { referral_method: 'sms', recipient_phone: 'abcdefghijk' },
      { recipient_phone: 'Please enter a phone number with its area code' },
    ],
    [
      {
        referral_method: 'email',
        recipient_email: 'kim@example.com',
        message: 'x'.repeat(501),
      },
      { message: 'Invalid input' },
    ],
    [{ referral_method: 'pigeon' }, { referral_method: 'Invalid input' }],
    [{}, { referral_method: 'Required' }],
  ])('is refused as %j', async (body, fields) => {
    await expectRefused(owner.call(createReferral, { body: body as Fields }), 400, {
      error: Object.values(fields)[0],
      code: 'invalid_input',
      fields,
    });
  });

  test('words that may not be written to friends go to no stranger either', async () => {
    await addRule(admin, 'snarlfoo', 'block');
    const person = await api.as('snarls@example.com');
    const invite = (message: string) =>
      person.call(createReferral, {
        body: { referral_method: 'email', recipient_email: 'meek@example.com', message },
      });
    await expectRefused(invite('You snarlfoo'), 400, { code: 'blocked_content' });
    await invite('You are welcome');
    const sanction = {
      warning_type: 'restriction',
      severity: 'moderate',
      reason: 'Enough.',
    } as const;
    await admin.call(issueWarning, { body: { user_id: person.user.id, ...sanction } });
    await expectRefused(invite('You are welcome'), 403, { code: 'restricted' });
  });

  test('500 characters fit', async () => {
    const message = 'x'.repeat(500);
    const body = { referral_method: 'email' as const, recipient_email: freshAddress(), message };
    expect((await refer(owner, body)).message).toBe(message);
  });
});

test('one invitation goes out for one Idempotency-Key, after a crash halfway too', async () => {
  const person = await freshPerson();
  const body = { referral_method: 'email' as const, recipient_email: freshAddress() };
  const send = () => person.call(createReferral, { body, idempotencyKey: 'invite-1' });
  const [first, ...others] = await Promise.all([send(), send()]);
  expect(others).toEqual([first]);
  // As if the process had died between the row and the note of the answer.
  await api.db
    .collection<{ _id: string }>('idempotency_keys')
    .updateOne(
      { _id: `${person.user.id} invite-1` },
      { $set: { done: false, answer: null, at: new Date(0) } },
    );
  expect((await send()).referral.id).toBe(first.referral.id);
  await sentFor(first.referral);
  expect((await stats(person)).total_referrals).toBe(1);
  expect(
    await api.db
      .collection('outbox')
      .countDocuments({ _id: `referrals ${first.referral.id}` as never }),
  ).toBe(1);
});

describe('an access', () => {
  /** Somebody at the gate, not signed in, who enters a code. */
  async function enter(code: string) {
    const visitor = api.visitor();
    await visitor.call(validateCode, { body: { code } });
    return visitor;
  }

  test('by the link counts once for whoever handed it out', async () => {
    const person = await freshPerson();
    const { code } = await makeCode(admin);
    const { call } = await enter(code);
    const body = { referrer_id: person.user.id, access_code: ` ${code.toLowerCase()} ` };
    for (let times = 0; times < 3; times++) expect(await call(trackAccess, { body })).toEqual({});
    const { recent_referrals, ...counts } = await stats(person);
    expect(counts).toEqual({
      total_referrals: 1,
      successful_referrals: 1,
      email_referrals: 0,
      sms_referrals: 0,
      methods: ['email', 'sms', 'link'],
      access_code: null,
    });
    expect(recent_referrals).toMatchObject([
      {
        referral_method: 'link',
        access_code_used: code,
        accessed_at: expect.any(String) as string,
      },
    ]);
  });

  test('by a letter counts for that letter, and the next one by it as another', async () => {
    const person = await freshPerson();
    const referral = await byEmail(person);
    await byEmail(person);
    for (const code of [(await makeCode(admin)).code, (await makeCode(admin)).code]) {
      const { call } = await enter(code);
      await call(trackAccess, { body: { referrer_id: referral.id, access_code: code } });
    }
    expect(await stats(person)).toMatchObject({
      total_referrals: 3,
      successful_referrals: 2,
      email_referrals: 2,
    });
    const { recent_referrals } = await stats(person);
    expect(recent_referrals.find(({ id }) => id === referral.id)?.accessed_at).not.toBeNull();
  });

  test('of who was invited by email counts for that, whatever link was followed', async () => {
    const person = await freshPerson();
    const referral = await byEmail(person, 'invited@example.com');
    const { code } = await makeCode(admin);
    const friend = await api.as('invited@example.com', { access: false });
    await friend.call(validateCode, { body: { code } });
    const body = { referrer_id: person.user.id, access_code: code };
    await friend.call(trackAccess, { body });
    expect((await stats(person)).recent_referrals).toMatchObject([
      { id: referral.id, access_code_used: code },
    ]);
  });

  test('that is made up changes nothing, and the answer does not tell', async () => {
    const person = await freshPerson();
    const { code } = await makeCode(admin);
    const { code: other } = await makeCode(admin);
    const { call } = await enter(code);
    const tries: [TestPerson['call'], string, string][] = [
      // Nobody used it; another one was used; nobody is called so; a visitor who used nothing.
      [call, person.user.id, 'MADE-UP'],
      [call, person.user.id, other],
      [call, 'nobody-at-all', code],
      [api.visitor().call, person.user.id, code],
    ];
    for (const [as, referrer_id, access_code] of tries)
      expect(await as(trackAccess, { body: { referrer_id, access_code } })).toEqual({});
    expect(await stats(person)).toMatchObject({ total_referrals: 0, successful_referrals: 0 });
  });

  test('of one’s own, or of who was in before, is no success', async () => {
    const person = await freshPerson();
    const friend = await freshPerson();
    const { code } = await makeCode(admin);
    for (const who of [person, friend]) {
      await who.call(validateCode, { body: { code } });
      const body = { referrer_id: person.user.id, access_code: code };
      await who.call(trackAccess, { body });
    }
    const self = await api.as('self@example.com', { access: false });
    await self.call(validateCode, { body: { code } });
    await self.call(trackAccess, { body: { referrer_id: self.user.id, access_code: code } });
    expect((await stats(person)).successful_referrals).toBe(0);
    expect((await stats(self)).successful_referrals).toBe(0);
  });

  test.each<[unknown, Record<string, string>]>([
    [{}, { referrer_id: 'Required', access_code: 'Required' }],
    [{ referrer_id: 'x'.repeat(65), access_code: 'A' }, { referrer_id: 'Invalid input' }],
    [{ referrer_id: 'x', access_code: 'A'.repeat(51) }, { access_code: 'Invalid input' }],
  ])('is refused as %j', async (body, fields) => {
    const { call } = api.visitor();
    await expectRefused(call(trackAccess, { body: body as never }), 400, { fields });
  });
});

test('the stats are one’s own, the latest first', async () => {
  const person = await freshPerson();
  const first = await byEmail(person);
  const second = await refer(person, { referral_method: 'sms', recipient_phone: '2025550199' });
  await byEmail(await freshPerson());
  const { recent_referrals, ...counts } = await stats(person);
  expect(counts).toMatchObject({ total_referrals: 2, email_referrals: 1, sms_referrals: 1 });
  expect(recent_referrals.map(({ id }) => id)).toEqual([second.id, first.id]);
});
