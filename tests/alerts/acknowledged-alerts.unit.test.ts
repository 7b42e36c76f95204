// @vitest-environment jsdom
import { expect, test } from 'vitest';
import type { EmergencyAlert } from '#shared/alerts/contract.ts';
import { acknowledgeHere, joinAlerts } from '../../client/features/alerts/alert-cache.ts';
import { AcknowledgedAlerts } from '../../client/features/proximity/alerts/acknowledged-alerts.ts';

const storm: EmergencyAlert = {
  id: 'storm',
  alert_id: 'storm',
  alert_type: 'weather',
  severity: 'severe',
  title: 'Storm',
  description: 'A storm is coming.',
  instructions: null,
  affected_latitude: 40,
  affected_longitude: -74,
  radius_miles: 10,
  starts_at: '2026-11-25T12:00:00.000Z',
  expires_at: null,
  is_active: true,
  user_id: 'ann',
  is_acknowledged: false,
  acknowledged_at: null,
};

test('acknowledged emergency alerts and acknowledged warnings about dogs do not overwrite each other', () => {
  const warning = { userId: 'sam', isUrgent: true, feet: 80, seenAt: Date.now() };
  new AcknowledgedAlerts('ann').write([warning]);
  acknowledgeHere('ann', storm);
  expect(new AcknowledgedAlerts('ann').read()).toEqual([warning]);
  new AcknowledgedAlerts('ann').write([]);
  expect(joinAlerts('ann', [storm])).toMatchObject([{ is_acknowledged: true }]);
});
