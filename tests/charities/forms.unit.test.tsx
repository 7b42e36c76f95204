// @vitest-environment jsdom
import { expect, test } from 'vitest';
import { ApplicationForm } from '../../client/features/charities/application-form.tsx';
import { bodyOf, EMPTY_DRAFT } from '../../client/features/charities/charity-form.ts';
import { SuggestCharity } from '../../client/features/charities/suggest-charity.tsx';
import { renderScreen } from '../render-screen.tsx';

const namesOf = (selector: string): string[] =>
  [...document.querySelectorAll<HTMLInputElement>(selector)].map(({ name }) => name).toSorted();

test('the application has the sections of the specification, and the logo is in Online Presence', async () => {
  await renderScreen(<ApplicationForm onDone={() => {}} />);
  const sections = [...document.querySelectorAll('fieldset')];
  expect(sections.map((section) => section.querySelector('legend')?.textContent)).toEqual([
    'Basic Information',
    'Contact',
    'Address',
    'Online Presence',
    'Payment',
  ]);
  expect(sections[3]?.querySelector('input[type=file]')).not.toBeNull();
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
