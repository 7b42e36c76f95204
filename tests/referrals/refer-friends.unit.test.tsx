// @vitest-environment jsdom
import { expect, test, vi } from 'vitest';
import type { Referral } from '#shared/referrals/contract.ts';
import ReferFriends from '../../client/referrals/refer-friends.tsx';
import { CopyCode } from '../../client/ui/buttons/copy-code.tsx';
import { renderScreen } from '../render-screen.tsx';

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
  await screen.type('input[type=email]', 'kim@example.com');
  await screen.press('Send invitation');
  expect(screen.text()).toContain('Referral sent successfully via email!');
  await screen.pass(1_999);
  expect(onDone).not.toHaveBeenCalled();
  await screen.pass(1);
  expect(onDone).toHaveBeenCalledOnce();
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
