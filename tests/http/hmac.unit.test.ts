import { expect, test, vi } from 'vitest';
import { views } from '../../api/features/ads/view-tokens.ts';
import { createMagicLinks } from '../../api/features/advertisers/dashboard/magic-links.ts';
import { constantTimeEquals, sign, secretsOf } from '../../api/platform/hmac.ts';
import {
  readUnsubscribeToken,
  unsubscribeUrl,
} from '../../api/platform/mail-queue/unsubscribe-token.ts';
import type { Services } from '../../api/platform/services.ts';

const SYNC_SECRET = 'a secret of this test';
const AT = new Date('2026-11-21T10:00:00Z');

// Changing the signatures breaks links in emails that were sent.
test('existing signatures of emails, dashboard links, views, and messages stay valid', async () => {
  const url =
    'https://leashwise.example/api/unsubscribe/8M-33IChlAzATZfWZpevK8Nuj-DgwmA8u8MTd2Y89Bc.fuUXFXJIvSRKoO11yZk7QVGAXO814FT-1U9cHOFjPzo';
  const env = { SYNC_SECRET, PUBLIC_ORIGIN: 'https://leashwise.example' };
  expect(unsubscribeUrl(env, 'sam@example.com')).toBe(url);
  expect(readUnsubscribeToken([SYNC_SECRET], url.split('/').at(-1) ?? '')).toBe(
    '8M-33IChlAzATZfWZpevK8Nuj-DgwmA8u8MTd2Y89Bc',
  );

  const findOne = () => Promise.resolve({ email: 'sam@example.com' });
  const services = { env, db: { collection: () => ({ findOne }) } };
  const links = createMagicLinks(services as unknown as Services);
  vi.setSystemTime(AT);
  const token = 'mailbox.mwq8lds0.nei_3xThROvqHWXEbc6XQjGN4SrYmwNlUAAuTi2Ic5c';
  expect(await links.read(token)).toEqual({ email: 'sam@example.com' });
  expect(await links.read(token.replace('mailbox', 'another'))).toBeNull();
  vi.useRealTimers();

  const view = 'lpJKYYOJi1eQ9dvp.mwq8lds0.aZSalIgj8V7f1OVY3tWR33';
  expect(views([SYNC_SECRET]).isGood(view, 7, new Date(AT.getTime() + 2_000))).toBe(true);

  const message = JSON.stringify(['message', 'm1', 'ann', 'bob', 'Hello']);
  expect(sign(SYNC_SECRET, message)).toBe('rC5SJ2dJTSVFDtqR3iO61JX7zWU7xcqefnGWlZmJm8E');
});

test('the previous secret is valid only while it is being replaced', async () => {
  const old = { SYNC_SECRET, PUBLIC_ORIGIN: 'https://leashwise.example' };
  const during = { ...old, SYNC_SECRET: 'the next secret', SYNC_SECRET_PREVIOUS: SYNC_SECRET };
  const after = { ...old, SYNC_SECRET: 'the next secret' };
  const token = unsubscribeUrl(old, 'sam@example.com').split('/').at(-1) ?? '';
  expect(readUnsubscribeToken(secretsOf(during), token)).not.toBeNull();
  expect(readUnsubscribeToken(secretsOf(after), token)).toBeNull();

  const view = views(secretsOf(old)).idFor(7, AT);
  const later = new Date(AT.getTime() + 2_000);
  expect(views(secretsOf(during)).isGood(view, 7, later)).toBe(true);
  expect(views(secretsOf(after)).isGood(view, 7, later)).toBe(false);

  const linksWith = (env: object) => {
    const updateOne = () => Promise.resolve();
    const findOne = () => Promise.resolve({ email: 'sam@example.com' });
    const db = { collection: () => ({ updateOne, findOne }) };
    return createMagicLinks({ env, db } as unknown as Services);
  };
  const link = (await linksWith(old).linkFor('sam@example.com')).split('#').at(-1) ?? '';
  expect(await linksWith(during).read(link)).toEqual({ email: 'sam@example.com' });
  expect(await linksWith(after).read(link)).toBeNull();
  // Signatures made during the replacement stay valid afterwards.
  const fresh = (await linksWith(during).linkFor('sam@example.com')).split('#').at(-1) ?? '';
  expect(await linksWith(after).read(fresh)).toEqual({ email: 'sam@example.com' });
});

test('rejects signatures of any other length without throwing', () => {
  const right = sign(SYNC_SECRET, 'stop me');
  for (const wrong of ['', 'é', right.slice(1), `${right}x`, sign('another', 'stop me')])
    expect(constantTimeEquals(wrong, right)).toBe(false);
  expect(constantTimeEquals(right, right)).toBe(true);
});
