import { useContext, useSyncExternalStore } from 'react';
import { ProximityContext } from './proximity-provider.tsx';
import {
  askForNotifications,
  getNotificationState,
  onNotificationStateChange,
} from './output/notifications.ts';
import { hearing, turnSoundOn } from './output/audio.ts';

/**
 * How the warning stands in this tab, and what can be done about it.
 * @throws outside a ProximityProvider
 */
export function useProximity() {
  const tab = useContext(ProximityContext);
  if (!tab) throw new Error('useProximity must be used within a ProximityProvider');
  const state = useSyncExternalStore(tab.subscribe, tab.getState);
  return {
    ...state,
    dismiss: (userIds: string[]) => tab.dismiss(userIds),
    retry: () => tab.retry(),
  };
}

/** What this device can be heard with, and how to turn it on inside a tap. */
export function useHearing() {
  return { ...useSyncExternalStore(hearing.subscribe, hearing.get), turnSoundOn };
}

/** Whether notifications may be shown, and how to ask inside a tap. */
export function useNotifications() {
  const state = useSyncExternalStore(onNotificationStateChange, getNotificationState);
  return { state, ask: askForNotifications };
}
