// @vitest-environment jsdom
import { beforeEach, expect, test, vi } from 'vitest';
import type { EmergencyAlert } from '#shared/alerts/contract.ts';
import { USUAL_SETTINGS, type Settings } from '#shared/settings/document.ts';
import { useAnnouncer } from '../../client/features/alerts/use-announcer.ts';
import { renderScreen } from '../render-screen.tsx';

const device = vi.hoisted(() => ({
  effects: [] as string[],
  settings: {} as object,
  status: 'ready',
  leads: true,
}));
vi.mock('../../client/features/settings/use-settings.ts', () => ({
  useSettings: () => ({ status: device.status, settings: device.settings }),
}));
vi.mock('../../client/platform/events/leading-tab-provider.tsx', () => {
  const tab = { onEvent: () => () => {} };
  return { useLeadingTab: () => tab, useLeads: () => device.leads };
});
vi.mock('../../client/features/alerts/alarm.ts', () => ({
  soundAlarm: (volume: number) => device.effects.push(`sound ${volume}`),
}));
vi.mock('../../client/features/proximity/output/notifications.ts', () => ({
  notify: ({ title }: { title: string }) => {
    device.effects.push(`notify ${title}`);
    return () => {};
  },
}));

const STORM = [
  { id: 'storm', severity: 'severe', title: 'Storm', instructions: null, description: 'Wind.' },
] as EmergencyAlert[];

function Announcing() {
  useAnnouncer('ann', STORM);
  return null;
}

/** Renders a tab with a severe alert. @returns what the device does for it */
async function effectsOf(change: {
  settings?: Partial<Settings>;
  leads?: boolean;
  status?: string;
}): Promise<string[]> {
  const { settings, leads = true, status = 'ready' } = change;
  Object.assign(device, { settings: { ...USUAL_SETTINGS, ...settings }, leads, status });
  const { pass } = await renderScreen(<Announcing />);
  await pass(5_000);
  return device.effects;
}

beforeEach(() => {
  device.effects = [];
  navigator.vibrate = (pattern) => {
    device.effects.push(`vibrate ${String(pattern)}`);
    return true;
  };
});

const VIBRATION = 'vibrate 200,100,200';

test('a severe alert sounds at the volume of the owner’s settings', async () => {
  const effects = await effectsOf({ settings: { volume: 0.3 } });
  expect(effects).toEqual([VIBRATION, 'sound 0.3', 'notify Storm', VIBRATION]);
});

test('a severe alert doesn’t sound when the owner turned sounds off', async () => {
  const effects = await effectsOf({ settings: { sounds: false } });
  expect(effects).toEqual([VIBRATION, 'notify Storm', VIBRATION]);
});

test('a severe alert doesn’t vibrate when the owner turned vibration off', async () => {
  const effects = await effectsOf({ settings: { vibration: false } });
  expect(effects).toEqual(['sound 0.8', 'notify Storm']);
});

test.each([
  ['in a tab that doesn’t lead', { leads: false }],
  ['before the owner’s settings are loaded', { status: 'loading' }],
])('announces nothing %s', async (_where, change) => {
  expect(await effectsOf(change)).toEqual([]);
});
