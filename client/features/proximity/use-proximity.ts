import { useContext, useSyncExternalStore } from 'react';
import { audioAvailability, turnSoundOn } from '../sounds/audio.ts';
import type { AlertAction } from './monitor/proximity-monitor.ts';
import {
  askForNotifications,
  getNotificationState,
  onNotificationStateChange,
} from './output/notifications.ts';
import { ProximityContext } from './proximity-provider.tsx';

/**
 * Returns the state of warnings in this tab, and actions on it.
 * @throws outside a ProximityProvider
 */
export function useProximity() {
  const tab = useContext(ProximityContext);
  if (!tab) throw new Error('useProximity must be used within a ProximityProvider');
  const state = useSyncExternalStore(tab.subscribe, tab.getState);
  return {
    ...state,
    act: (action: AlertAction) => tab.act(action),
    retry: () => tab.retry(),
  };
}

/** Returns whether sound and speech can be played, and how to turn them on during a tap. */
export function useAudioAvailability() {
  return {
    ...useSyncExternalStore(audioAvailability.subscribe, audioAvailability.get),
    turnSoundOn,
  };
}

/** Returns whether notifications are allowed, and how to ask during a tap. */
export function useNotifications() {
  const state = useSyncExternalStore(onNotificationStateChange, getNotificationState);
  return { state, ask: askForNotifications };
}
