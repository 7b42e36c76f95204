import { expect, test } from 'vitest';
import { createAlert } from '#shared/alerts/admin-contract.ts';
import {
  fromLocalField,
  LOCAL_FIELD_MAX,
  toLocalField,
} from '../../client/platform/admin/format.ts';

test('converts a local date field to ISO and back, to the minute, and empty to null', () => {
  expect(toLocalField(fromLocalField('2026-11-24T09:30'))).toBe('2026-11-24T09:30');
  expect(fromLocalField(LOCAL_FIELD_MAX)).toMatch(/^(9999|\+10000)-/);
  expect(fromLocalField('')).toBeNull();
  expect(toLocalField(null)).toBe('');
});

test('reports a six-digit year as a field error', () => {
  const expires_at = fromLocalField('202611-12-01T09:30');
  const alert = {
    alert_type: 'weather',
    severity: 'minor',
    title: 'Heat',
    description: 'Hot.',
    affected_latitude: 0,
    affected_longitude: 0,
    radius_miles: 10,
    expires_at,
  };
  const { error } = createAlert.body!.safeParse(alert);
  expect(error?.issues[0]?.path).toEqual(['expires_at']);
});
