import { useSyncExternalStore } from 'react';
import { capitalized } from '#shared/capitalized.ts';
import { formatLongDate } from '#shared/dates.ts';
import type { Settings } from '#shared/settings/document.ts';
import { listed } from '../../features/proximity/alerts/alert-text.ts';
import {
  getPushState,
  onPushStateChange,
  type PushState,
} from '../../features/push/push-device.ts';
import { chosenTheme, THEME_NAMES } from '../../features/settings/theme.ts';
import { useSettings } from '../../features/settings/use-settings.ts';
import { unitsFor } from '../../features/settings/use-units.ts';
import { useSounds } from '../../features/sounds/use-sounds.ts';
import { useUser } from '../../platform/session/use-auth.tsx';

const PUSH: Record<PushState, string> = {
  on: 'On, also while the app is closed',
  off: 'Off while the app is closed',
  denied: 'Blocked in this browser',
  unsupported: 'Not in this browser while the app is closed',
  'needs-install': 'Needs the home screen first',
};

function alertsText(settings: Settings): string {
  const outputs = [
    ...(settings.sounds ? ['sound'] : []),
    ...(settings.speech ? ['voice'] : []),
    ...(settings.vibration ? ['vibration'] : []),
  ];
  const words = outputs.length > 0 ? listed(outputs) : 'silent';
  const text = `${words}, within ${unitsFor(settings).near(settings.alert_radius_feet)}`;
  return capitalized(text);
}

/** Returns what is chosen now, by the id of a section; nothing of a section that is more than one choice. */
export function useCurrentValues(): Partial<Record<string, string>> {
  const { status, settings, quietPlaces } = useSettings();
  const sounds = useSounds();
  const user = useUser();
  const push = useSyncExternalStore(onPushStateChange, () => getPushState(user?.id ?? ''));
  const ends = user?.access_expires_at;
  const here = {
    notifications: PUSH[push],
    appearance: THEME_NAMES[chosenTheme() ?? 'system'],
    ...(ends && { account: `Access until ${formatLongDate(ends)}` }),
  };
  if (status !== 'ready') return here;
  const count = quietPlaces?.length ?? 0;
  const system = unitsFor(settings).system === 'us' ? 'Miles and feet' : 'Kilometers and meters';
  return {
    ...here,
    alerts: alertsText(settings),
    sounds: sounds.length === 0 ? 'Standard' : `${sounds.length} of your own`,
    'quiet-places': count === 0 ? 'None' : count === 1 ? '1 place' : `${count} places`,
    units: settings.units === 'automatic' ? `${system} (automatic)` : system,
  };
}
