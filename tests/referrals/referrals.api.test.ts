import { afterAll, beforeAll, describe, expect, inject, test, vi } from 'vitest';
import type { z } from 'zod';
import { validateCode } from '#shared/access-gate/contract.ts';
import { issueWarning } from '#shared/moderation/admin-contract.ts';
import { getInvitationPolicy, saveInvitationPolicy } from '#shared/referrals/admin-contract.ts';
import {
  createReferral,
  getReferralStats,
  trackAccess,
  type Referral,
  type referralFields,
} from '#shared/referrals/contract.ts';
import type { SandboxSentRow } from '../../api/platform/mail-queue/collections.ts';
import { startTestApi, type TestApi, type TestPerson } from '../api.ts';
import { makeCode, makeProfile } from '../factories.ts';
import { addRule } from '../moderation/visible-messages.ts';
import { expectRefused } from '../refusals.ts';

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

/** Waits for the message of a referral in the sandbox and returns it. */
const sentFor = ({ id }: Referral) =>
  vi.waitFor(async () => {
    const row = await api.db
      .collection<SandboxSentRow>('sandbox_sent')
      .findOne({ _id: `referrals ${id}` });
    if (!row) throw new Error('not sent yet');
    return row.message;
  });

describe('an invitation', () => {
  test('emails an invitation with the link, the message and an unsubscribe link', async () => {
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
      access_code: expect.any(String) as string,
    });
    const email = await sentFor(referral);
    if (email.channel !== 'email') throw new Error(email.channel);
    expect(email).toMatchObject({
      to: 'kim@example.com',
      subject: 'You’re invited to Leashwise',
    });
    expect(email.text).toContain('> Come and walk with us!\n> Rex says <b>hi</b>');
    expect(email.html).not.toContain('<b>');
    for (const body of [email.text, email.html]) {
      expect(body).toContain(`http://localhost:3000/?ref=${referral.id}`);
      expect(body).toContain(email.unsubscribe_url);
    }
    await vi.waitFor(async () =>
      expect((await stats(owner)).recent_referrals[0]).toEqual({ ...referral, delivery: 'sent' }),
    );
  });

  test('texts an invitation to the normalized number', async () => {
    const referral = await refer(owner, {
      referral_method: 'sms',
      recipient_phone: '+1 (202) 555-0123',
      message: 'Join us',
    });
    expect(referral).toMatchObject({ recipient_phone: '+12025550123', recipient_email: null });
    const message = await sentFor(referral);
    expect(message).toMatchObject({ channel: 'sms', to: '+12025550123' });
    expect(message.text).toContain(`http://localhost:3000/?ref=${referral.id}`);
    expect(message.text).toContain('From a member who goes by "Alex"\nThey write: "Join us"');
    expect(message.text).toContain('Reply STOP');
  });

  test('an invitation by link sends nothing', async () => {
    const before = await api.db.collection('outbox').countDocuments();
    const referral = await refer(await freshPerson(), { referral_method: 'link' });
    expect(referral).toMatchObject({ referral_method: 'link', delivery: null });
    expect(await api.db.collection('outbox').countDocuments()).toBe(before);
  });

  test('removes links from the message and the name in an invitation', async () => {
    const person = await freshPerson();
    await makeProfile(person, { display_name: 'Win at\r\nhttps://evil.example' });
    const referral = await refer(person, {
      referral_method: 'email',
      recipient_email: freshAddress(),
      message: 'see https://evil.example/x or www.evil.example or a@evil.example',
    });
    const email = await sentFor(referral);
    if (email.channel !== 'email') throw new Error(email.channel);
    expect(email.subject).toBe('You’re invited to Leashwise');
    expect(email.text).toContain('\n> Win at https: //evil. example\n');
    for (const body of [email.text, email.html]) expect(body).not.toContain('evil.example');
  });

  test('includes the referral access code as long as it is usable, when there is no code of its own', async () => {
    const { policy } = await admin.call(getInvitationPolicy);
    await admin.call(saveInvitationPolicy, { body: { ...policy, codes_per_month: 0 } });
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
      const { version } = (await admin.call(getInvitationPolicy)).policy;
      const { codes_per_month } = policy;
      await admin.call(saveInvitationPolicy, { body: { codes_per_month, version } });
      await api.restartApi();
    }
  });
});

describe('invalid invitations', () => {
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
  ])('rejects an invitation with errors %j', async (body, fields) => {
    await expectRefused(owner.call(createReferral, { body: body as Fields }), 400, {
      error: Object.values(fields)[0],
      code: 'invalid_input',
      fields,
    });
  });

  test('rejects blocked words in an invitation, and invitations from restricted users', async () => {
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

  test('accepts a message of 500 characters', async () => {
    const message = 'x'.repeat(500);
    const body = { referral_method: 'email' as const, recipient_email: freshAddress(), message };
    expect((await refer(owner, body)).message).toBe(message);
  });
});

test('sends one invitation per idempotency key, even after a crash', async () => {
  const person = await freshPerson();
  const body = { referral_method: 'email' as const, recipient_email: freshAddress() };
  const send = () => person.call(createReferral, { body, idempotencyKey: 'invite-1' });
  const [first, ...others] = await Promise.all([send(), send()]);
  expect(others).toEqual([first]);
  // The state after a crash between the write and the stored response.
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
  /** A visitor who enters a code at the gate without signing in. */
  async function enter(code: string) {
    const visitor = api.visitor();
    await visitor.call(validateCode, { body: { code } });
    return visitor;
  }

  test('counts an access through the link once for its owner', async () => {
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
      codes_per_month: 5,
      codes_left: 5,
    });
    expect(recent_referrals).toMatchObject([
      {
        referral_method: 'link',
        access_code_used: code,
        accessed_at: expect.any(String) as string,
      },
    ]);
  });

  test('counts an access through an email for that email, and a second one separately', async () => {
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

  test('counts the access of an emailed friend for that email, whichever link they used', async () => {
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

  test('ignores invented accesses and gives the same response', async () => {
    const person = await freshPerson();
    const { code } = await makeCode(admin);
    const { code: other } = await makeCode(admin);
    const { call } = await enter(code);
    const tries: [TestPerson['call'], string, string][] = [
      // An unused code, another code, an unknown referrer, and a visitor who used no code.
      [call, person.user.id, 'MADE-UP'],
      [call, person.user.id, other],
      [call, 'nobody-at-all', code],
      [api.visitor().call, person.user.id, code],
    ];
    for (const [as, referrer_id, access_code] of tries)
      expect(await as(trackAccess, { body: { referrer_id, access_code } })).toEqual({});
    expect(await stats(person)).toMatchObject({ total_referrals: 0, successful_referrals: 0 });
  });

  test('does not count an access by the referrer or by earlier users', async () => {
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
  ])('rejects an access with errors %j', async (body, fields) => {
    const { call } = api.visitor();
    await expectRefused(call(trackAccess, { body: body as never }), 400, { fields });
  });
});

test('returns the user’s own statistics, with the latest invitations first', async () => {
  const person = await freshPerson();
  const first = await byEmail(person);
  const second = await refer(person, { referral_method: 'sms', recipient_phone: '2025550199' });
  await byEmail(await freshPerson());
  const { recent_referrals, ...counts } = await stats(person);
  expect(counts).toMatchObject({ total_referrals: 2, email_referrals: 1, sms_referrals: 1 });
  expect(recent_referrals.map(({ id }) => id)).toEqual([second.id, first.id]);
});
