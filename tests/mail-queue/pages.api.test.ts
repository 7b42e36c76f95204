import { afterAll, beforeAll, describe, expect, inject, test, vi } from 'vitest';
import { createReferral, getReferralStats } from '#shared/referrals/contract.ts';
import type { QueueRow, SandboxSentRow } from '../../api/platform/mail-queue/collections.ts';
import { startTestApi, type TestApi, type TestPerson } from '../api.ts';
import { expectRefused } from '../refusals.ts';
import { refused, startTwilio } from './twilio-emulator.ts';

let api: TestApi;
let owner: TestPerson;
beforeAll(async () => {
  api = await startTestApi(inject('mongodbUri'));
  owner = await api.as('owner@example.com');
});
afterAll(() => api.close());

const queue = () => api.db.collection<QueueRow>('outbox');
const invite = async (recipient_email: string) =>
  (await owner.call(createReferral, { body: { referral_method: 'email', recipient_email } }))
    .referral;

/** The unsubscribe link in the email of an invitation. */
const unsubscribeUrl = (id: string) =>
  vi.waitFor(async () => {
    const row = await api.db
      .collection<SandboxSentRow>('sandbox_sent')
      .findOne({ _id: `referrals ${id}` });
    if (row?.message.channel !== 'email') throw new Error('not sent yet');
    return row.message.unsubscribe_url?.replace('http://localhost:3000', api.origin) ?? '';
  });

describe('unsubscribing', () => {
  test('unsubscribes only on the button or a one-click request, and rejects further invitations', async () => {
    const url = await unsubscribeUrl((await invite('enough@example.com')).id);
    const page = await fetch(url);
    expect([page.status, page.headers.get('content-type')]).toEqual([
      200,
      'text/html; charset=utf-8',
    ]);
    expect(await page.text()).toContain('Unsubscribe');
    await invite('enough@example.com');

    // The request of a mail program's own unsubscribe button.
    const said = await fetch(url, {
      method: 'POST',
      body: new URLSearchParams({ 'List-Unsubscribe': 'One-Click' }),
    });
    expect(said.status).toBe(200);
    await expectRefused(invite('enough@example.com'), 409, {
      code: 'opted_out',
      error: 'This person doesn’t want invitations. Share your link instead.',
    });
    await invite('somebody-else@example.com');
  });

  test('rejects unsubscribe links with a wrong signature', async () => {
    const url = await unsubscribeUrl((await invite('mine@example.com')).id);
    const other = await unsubscribeUrl((await invite('theirs@example.com')).id);
    const [id] = other.split('/').pop()?.split('.') ?? [];
    const [, seal] = url.split('.').slice(-2);
    for (const token of [`${id}.${seal}`, `${id}.`, 'nothing', `${id}`]) {
      const answer = await fetch(`${api.origin}/api/unsubscribe/${token}`, { method: 'POST' });
      expect(answer.status).toBe(404);
    }
    await invite('theirs@example.com');
  });
});

test('the page of messages in the sandbox escapes their content', async () => {
  const body = {
    referral_method: 'email' as const,
    recipient_email: 'shown@example.com',
    message: '<script>alert(1)</script>',
  };
  const { referral } = await owner.call(createReferral, { body });
  await unsubscribeUrl(referral.id);
  const page = await fetch(`${api.origin}/api/dev/sent`);
  const html = await page.text();
  expect(html).toContain('shown@example.com');
  expect(html).toContain(`<a href="http://localhost:3000/?ref=${referral.id}">`);
  expect(html).not.toContain('<script>');
  expect(page.headers.get('content-security-policy')).toContain("default-src 'none'");
});

test('a message whose process crashed before queuing it is sent after the restart', async () => {
  const { id } = await invite('crash@example.com');
  await unsubscribeUrl(id);
  const key = `referrals ${id}`;
  const at = new Date();
  const message = { channel: 'sms', to: '+12025550100', text: 'Found again', unsolicited: true };
  await queue().deleteOne({ _id: key });
  await api.db.collection('sandbox_sent').deleteOne({ _id: key as never });
  // The state after a crash right after the write of the row.
  await api.db
    .collection<{ _id: string }>('referrals')
    .updateOne({ _id: id }, { $set: { post: { message, at } } });
  expect((await owner.call(getReferralStats)).recent_referrals[0]).toMatchObject({
    id,
    delivery: 'waiting',
  });
  await api.runJobs();
  await expect.poll(async () => (await queue().findOne({ _id: key }))?.status).toBe('sent');
  const row = await api.db.collection<{ _id: string }>('referrals').findOne({ _id: id });
  expect(row).not.toHaveProperty('post');
  expect((await owner.call(getReferralStats)).recent_referrals[0]).toMatchObject({
    delivery: 'sent',
  });
});

test('sends text messages through Twilio and rejects numbers that answered STOP', async () => {
  const twilio = await startTwilio();
  await api.restartApi({
    TWILIO_ACCOUNT_SID: 'AC1',
    TWILIO_AUTH_TOKEN: 'secret',
    TWILIO_FROM: '+15005550006',
    TWILIO_BASE_URL: twilio.baseUrl,
  });
  try {
    const text = (recipient_phone: string) =>
      owner.call(createReferral, { body: { referral_method: 'sms', recipient_phone } });
    const { referral } = await text('(202) 555-0111');
    await expect.poll(() => twilio.calls.length).toBe(1);
    expect(twilio.calls[0]?.form).toMatchObject({ To: '+12025550111', From: '+15005550006' });
    expect(twilio.calls[0]?.form['Body']).toContain(`/?ref=${referral.id}`);
    const health = await fetch(`${api.origin}/api/health`);
    const { sandbox_providers } = (await health.json()) as { sandbox_providers: string[] };
    expect(sandbox_providers).toContain('email');
    expect(sandbox_providers).not.toContain('sms');

    twilio.next(refused(400, 21_610));
    const { referral: stopped } = await text('+12025550122');
    await expect
      .poll(async () => (await queue().findOne({ _id: `referrals ${stopped.id}` }))?.status)
      .toBe('dropped');
    await expectRefused(text('+12025550122'), 409, { code: 'opted_out' });
  } finally {
    await api.restartApi();
    twilio.close();
  }
});

test('without the sandbox, email invitations are rejected as unavailable and the sandbox page is missing', async () => {
  await api.restartApi({
    ALLOW_SANDBOX: 'false',
    GOOGLE_CLIENT_ID: 'id',
    GOOGLE_CLIENT_SECRET: 'secret',
  });
  // The restart revoked sessions of the sandbox sign-in, so restore this one.
  await api.db
    .collection('sessions')
    .updateMany({ user_id: owner.user.id }, { $set: { revoked_at: null } });
  expect((await fetch(`${api.origin}/api/dev/sent`)).status).toBe(404);
  const health = await fetch(`${api.origin}/api/health`);
  expect(
    ((await health.json()) as { sandbox_providers: string[] }).sandbox_providers,
  ).not.toContain('email');
  expect((await owner.call(getReferralStats)).methods).toEqual(['link']);
  await expectRefused(invite('kim@example.com'), 503, {
    code: 'unavailable',
    error: 'This site can’t send emails. Share your link instead.',
  });
});
