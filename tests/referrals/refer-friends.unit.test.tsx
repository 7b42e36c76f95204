// @vitest-environment jsdom
import { expect, test, vi } from 'vitest';
import type { Referral } from '#shared/referrals/contract.ts';
import ReferFriends from '../../client/features/referrals/refer-friends.tsx';
import { CopyCode } from '../../client/platform/ui/buttons/copy-code.tsx';
import { renderScreen } from '../render-screen.tsx';

const PHONE = 'input[type=tel]';
const referral: Referral = {
  id: 'one',
  referrer_user_id: 'ann',
  referrer_name: 'Ann',
  referral_method: 'email',
  recipient_email: 'kim@example.com',
  recipient_phone: null,
  message: null,
  sent_at: '2026-11-21T00:00:00.000Z',
  access_code_used: null,
  accessed_at: null,
  delivery: 'waiting',
};

test('the modal closes 2 s after “Referral sent successfully via email!”', async () => {
  const onDone = vi.fn<() => void>();
  const screen = await renderScreen(<ReferFriends onDone={onDone} />, {
    answers: { 'POST /api/referrals': { referral } },
  });
  await screen.openTab('Email');
  await screen.type('input[type=email]', 'kim@example.com');
  await screen.press('Send invitation');
  expect(screen.text()).toContain('Referral sent successfully via email!');
  await screen.pass(1_999);
  expect(onDone).not.toHaveBeenCalled();
  await screen.pass(1);
  expect(onDone).toHaveBeenCalledOnce();
});

test('a text message invitation shows its errors and keeps the input while switching tabs', async () => {
  const answers: Record<string, object> = {};
  const screen = await renderScreen(<ReferFriends onDone={() => {}} />, { answers });
  await screen.openTab('SMS');
  await screen.press('Send invitation');
  expect(screen.describedBy(PHONE)).toContain('Phone number is required');
  await screen.type('textarea', 'x'.repeat(512));
  expect(screen.describedBy('textarea')).toContain('Please shorten it by 12');
  await screen.type('textarea', '');
  expect(screen.describedBy('textarea')).not.toContain('shorten');
  await screen.type(PHONE, '+1 (202) 555-0123');
  await screen.openTab('Link');
  await screen.openTab('SMS');
  expect(document.querySelector<HTMLInputElement>(PHONE)?.value).toBe('+1 (202) 555-0123');

  answers['POST /api/referrals'] = () => {
    throw new TypeError('Failed to fetch');
  };
  await screen.press('Send invitation');
  expect(screen.text()).toContain('Failed to send referral');
  expect(screen.text()).toContain(
    'Check your connection and try again. What you entered is still here.',
  );
  answers['POST /api/referrals'] = () =>
    Response.json({ error: 'Too many for now', code: 'rate_limited' }, { status: 429 });
  await screen.press('Send invitation');
  expect(screen.text()).toContain('Too many for now');
  answers['POST /api/referrals'] = { referral: { ...referral, referral_method: 'sms' } };
  await screen.press('Send invitation');
  expect(screen.text()).toContain('Referral sent successfully via sms!');
});

test('“Copied!” is shown for 2 s', async () => {
  const screen = await renderScreen(<CopyCode code="PAWS" />);
  const writeText = vi.fn<(text: string) => Promise<void>>(async () => {});
  vi.stubGlobal('navigator', { clipboard: { writeText } });
  await screen.press('Copy');
  expect(writeText).toHaveBeenCalledWith('PAWS');
  expect(screen.text()).toContain('Copied!');
  await screen.pass(1_999);
  expect(screen.text()).toContain('Copied!');
  await screen.pass(1);
  expect(screen.text()).not.toContain('Copied!');
});
