import { expect, test } from 'vitest';
import { securityTxt } from '../../api/app/health/security-txt.ts';
import { securityContact } from '../../api/platform/settings/security-contact.ts';

const PUBLIC_ORIGIN = 'https://leashwise.example';
const NOW = new Date('2026-11-25T12:34:56.789Z');

test('security.txt has the fields of RFC 9116 and expires within a year', () => {
  const text = securityTxt({ SECURITY_CONTACT: 'mailto:a@example.com', PUBLIC_ORIGIN }, NOW);
  expect(text).toBe(
    [
      'Contact: mailto:a@example.com',
      'Expires: 2027-02-23T00:00:00Z',
      'Preferred-Languages: en',
      'Canonical: https://leashwise.example/.well-known/security.txt',
      '',
    ].join('\n'),
  );
});

test('there is no security.txt without a contact', () => {
  expect(securityTxt({ SECURITY_CONTACT: undefined, PUBLIC_ORIGIN }, NOW)).toBeNull();
});

test.each([
  ['security@example.com', 'mailto:security@example.com'],
  ['mailto:security@example.com', 'mailto:security@example.com'],
  [' https://example.com/report ', 'https://example.com/report'],
  ['', undefined],
  [undefined, undefined],
])('normalizes the contact %j to %j', (given, expected) => {
  expect(securityContact.parse(given)).toBe(expected);
});

test.each(['http://example.com/report', 'javascript:alert(1)', 'ring us', 'https:'])(
  'rejects %j as a contact',
  (given) => expect(securityContact.safeParse(given).success).toBe(false),
);

test('rejects a contact with line breaks', () => {
  expect(securityContact.safeParse('a@example.com\nContact: mailto:b@example.com').success).toBe(
    false,
  );
  expect(securityContact.safeParse('https://example.com/\nContact: x').success).toBe(false);
});
