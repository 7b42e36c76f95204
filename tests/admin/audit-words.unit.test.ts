import { expect, test } from 'vitest';
import {
  changedFields,
  fieldWords,
  plainWords,
  valueWords,
} from '../../client/platform/admin/audit-words.ts';

test('the audit log names kinds and fields in words', () => {
  expect(plainWords('access-code')).toBe('Access code');
  expect(plainWords('charity')).toBe('Charity');
});

test.each([
  ['total_donated_cents', 'Total donated'],
  ['is_verified', 'Verified'],
  ['expires_at', 'Expires'],
  ['reported_user_id', 'Reported user'],
  ['target_url', 'Link'],
  ['charity_name', 'Charity name'],
])('the audit log calls the field %s “%s”', (field, words) => {
  expect(fieldWords(field)).toBe(words);
});

test('the audit log shows cents as money', () => {
  expect(valueWords(12_300, 'total_donated_cents')).toBe('$123.00');
  expect(valueWords(0, 'total_donated_cents')).toBe('$0.00');
  expect(valueWords(5, 'max_uses')).toBe('5');
});

test.each([
  [null, 'nothing'],
  ['', 'nothing'],
  [[], 'nothing'],
  [true, 'yes'],
  [false, 'no'],
  [3, '3'],
  ['Spring', 'Spring'],
  [['monday', 'friday'], 'monday, friday'],
  ['wrong_details', 'wrong details'],
  [{ reason: 'Spam', cost_cents: 250 }, 'Reason: Spam, Cost: $2.50'],
])('the audit log shows the value %j as %j', (value, words) => {
  expect(valueWords(value)).toBe(words);
});

test('the audit log shows a time as people write it', () => {
  const words = valueWords('2026-11-26T10:00:00.000Z');
  expect(words).toContain('2026');
  expect(words).not.toContain('T10:00');
});

test('the audit log leaves out fields that were and are empty, and the id of the subject', () => {
  const entry = {
    id: '1',
    at: '2026-11-26T10:00:00.000Z',
    admin_user_id: 'a',
    admin_email: null,
    act: 'advertisement.update',
    subject_kind: 'advertisement',
    subject_id: 'ad-1',
    subject_name: null,
    value_names: {},
    reason: null,
    voids: null,
    before: { title: 'Kibble', image_url: null, description: 'Fresh', id: 'ad-1' },
    after: { title: 'Kibble', image_url: '', description: null, id: 'ad-1' },
  };
  expect(changedFields(entry)).toEqual(['title', 'description']);
});
