// @vitest-environment jsdom
import { expect, test, vi } from 'vitest';
import { createAdvertiser, createTimedAd, TIMED_REQUIRED } from '#shared/advertisers/contract.ts';
import { fieldTime } from '../../../client/features/advertisers/datetime-local.ts';
import SignupPage from '../../../client/features/advertisers/signup/signup-page.tsx';
import '../../fresh-indexed-db.ts';
import { renderScreen } from '../../render-screen.tsx';

const ADVERTISERS = 'POST /api/advertisers';
const ADS = 'POST /api/advertiser-ads';
const PAY = 'Continue to payment';
const noMatch = () => ({ matches: false, addEventListener() {}, removeEventListener() {} });
const unreachable = () => {
  throw new TypeError('Failed to fetch');
};

/** Opens the sign-up with company details, which lead to the details of the ad. */
async function openDetails(answers: Record<string, object> = {}) {
  vi.stubGlobal('matchMedia', noMatch);
  const screen = await renderScreen(<SignupPage />, { path: '/advertiser-signup', answers });
  await screen.type('input[name=email]', 'kim@example.com');
  await screen.type('input[name=company_name]', 'Kibble & Co');
  await screen.type('input[name=contact_name]', 'Kim Park');
  await screen.press('Continue');
  return screen;
}

test('shows errors of the server and keeps the typed texts', async () => {
  const answers: Record<string, object> = { [ADVERTISERS]: unreachable, [ADS]: unreachable };
  const screen = await openDetails(answers);
  await screen.fill('Title', 'Kibble');
  await screen.type('textarea', 'Fresh');
  await screen.fill('Target URL', 'kibble');
  await screen.press(PAY);
  // Missing fields are reported before invalid ones.
  expect(screen.text()).toContain(TIMED_REQUIRED);
  await screen.fill('Target URL', 'https://kibble.example/');
  await screen.type('input[type=datetime-local]', fieldTime(new Date(Date.now() + 86_400_000)));
  await screen.press(PAY);
  expect(screen.text()).toContain(createAdvertiser.failure);
  answers[ADVERTISERS] = () =>
    Response.json({ error: 'Too many requests', code: 'rate_limited' }, { status: 429 });
  await screen.press(PAY);
  expect(screen.text()).toContain('Too many requests');
  answers[ADVERTISERS] = { advertiser: { id: 'kim' } };
  await screen.press(PAY);
  expect(screen.text()).toContain(createTimedAd.failure);
  expect(screen.valueOf('Title')).toBe('Kibble');
  await screen.press('Back');
  expect(screen.valueOf('Email')).toBe('kim@example.com');
});

test('says that payments are unavailable before anything is filled in', async () => {
  const screen = await renderScreen(<SignupPage />, {
    path: '/advertiser-signup',
    answers: {
      'GET /api/google-pay/config': () =>
        Response.json(
          { error: 'No payment configuration available', code: 'payments_off' },
          { status: 503 },
        ),
    },
  });
  expect(screen.text()).toContain('Payments are currently unavailable');
});

test('shows a business as owners will see it while it is typed, without links that lead nowhere', async () => {
  const screen = await openDetails();
  await screen.check('Location-based ad');
  await screen.fill('Business name', 'Paws & Coffee');
  await screen.type('input[type=url]', 'javascript:alert(1)');
  const preview = () => document.querySelector('figure');
  expect(preview()?.textContent).toContain('Paws & Coffee');
  expect(preview()?.querySelector('a')).toBeNull();
  await screen.type('input[type=url]', 'coffee.example');
  expect(preview()?.querySelector('a')?.getAttribute('href')).toBe('https://coffee.example');
});

test('shows an error when the position is unavailable', async () => {
  class Denied {
    readonly code = 1;
  }
  vi.stubGlobal('GeolocationPositionError', Denied);
  const geolocation = {
    getCurrentPosition: (_found: () => void, fail: (problem: object) => void) => fail(new Denied()),
  };
  vi.stubGlobal('navigator', { onLine: true, geolocation });
  const screen = await openDetails();
  await screen.check('Location-based ad');
  await screen.press('Use my current location');
  expect(screen.text()).toContain('Unable to get current location');
});
