// @vitest-environment jsdom
import { expect, test, vi } from 'vitest';
import { publicCharity } from '#shared/charities/contract.ts';
import { writeDraft } from '../../client/features/charities/application-draft.ts';
import { ApplicationForm } from '../../client/features/charities/application-form.tsx';
import { bodyOf, EMPTY_DRAFT } from '../../client/features/charities/charity-form.ts';
import { ApplicationEditor } from '../../client/features/charities/page/application-editor.tsx';
import { SuggestCharity } from '../../client/features/charities/suggest-charity.tsx';
import { renderScreen } from '../render-screen.tsx';

const namesOf = (selector: string): string[] =>
  [...document.querySelectorAll<HTMLInputElement>(selector)].map(({ name }) => name).toSorted();

test('the application has the sections of the specification, in steps, and the logo is in Online Presence', async () => {
  writeDraft({
    ...EMPTY_DRAFT,
    charity_name: 'Paws',
    description: 'We find homes for dogs.',
    contact_name: 'Kim',
    contact_email: 'kim@example.com',
    confirm_email: 'kim@example.com',
  });
  const { press } = await renderScreen(<ApplicationForm onDone={() => {}} />);
  const sections = () =>
    [...document.querySelectorAll('legend')].map(({ textContent }) => textContent);
  expect(sections()).toEqual(['Basic Information']);
  await press('Continue');
  expect(sections()).toEqual(['Contact', 'Address']);
  await press('Back');
  await press('Continue');
  await press('Continue');
  expect(sections()).toEqual(['Online Presence', 'Payment']);
  expect(document.querySelector('fieldset input[type=file]')).not.toBeNull();
  writeDraft(null);
});

test('the suggestion form marks the contact name as required, and has URL inputs for the website and the donation link', async () => {
  await renderScreen(<SuggestCharity />);
  expect(namesOf('[required]')).toEqual([
    'charity_name',
    'contact_email',
    'contact_name',
    'description',
    'payment_link',
  ]);
  expect(namesOf('input[type=url]')).toEqual(['payment_link', 'website_url']);
});

test('the repeated email address and empty fields are not sent', () => {
  const body = bodyOf({
    ...EMPTY_DRAFT,
    charity_name: 'Paws',
    contact_email: 'kim@example.com',
    confirm_email: 'kim@example.com',
    phone: ' ',
  });
  expect(body).toEqual({ charity_name: 'Paws', contact_email: 'kim@example.com' });
});

test.each([
  [{ is_verified: false, is_active: true }, null, 'We’re reviewing it.'],
  [{ is_verified: false, is_active: true }, 'No tax ID.', 'No tax ID. Correct it'],
  [{ is_verified: true, is_active: true }, null, 'It’s verified, and everybody can see it.'],
  [{ is_verified: true, is_active: false }, null, 'we don’t show it at the moment'],
])('an applicant reads the state of a charity with %o', async (state, rejection, words) => {
  const charity = publicCharity.parse({
    id: 'paws',
    charity_name: 'Paws',
    description: 'We find homes for dogs.',
    website_url: null,
    tax_id: null,
    address: null,
    city: null,
    state: null,
    zip_code: null,
    payment_link: 'https://give.example/paws',
    logo_key: null,
    donation_count: 0,
    total_donated_cents: 0,
    created_at: '2026-11-28T12:00:00Z',
    ...state,
  });
  vi.stubGlobal('matchMedia', () => ({
    matches: false,
    addEventListener() {},
    removeEventListener() {},
  }));
  const { text } = await renderScreen(
    <ApplicationEditor token="t" opened={{ charity, rejection, version: 0, logo_url: null }} />,
  );
  expect(text()).toContain(words);
  const fixed = [
    'address',
    'charity_name',
    'city',
    'payment_link',
    'state',
    'website_url',
    'zip_code',
  ];
  expect(namesOf('input').filter((name) => fixed.includes(name))).toEqual(
    state.is_verified ? [] : fixed,
  );
  expect(document.querySelector('input[type=file]') === null).toBe(state.is_verified);
  expect(text().includes('We verified the name, the logo, the links and the address')).toBe(
    state.is_verified,
  );
});
