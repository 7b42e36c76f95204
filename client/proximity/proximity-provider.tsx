import { createContext, useEffect, useState, type ReactNode } from 'react';
import { useLeadingTab } from '../events/leading-tab-provider.tsx';
import { useCard } from '../profile/use-card.ts';
import { useSharing } from '../profile/use-sharing.ts';
import { useUser } from '../session/use-auth.tsx';
import { useSettings } from '../settings/use-settings.ts';
import { useSoundLibrary } from '../sounds/use-sounds.ts';
import { ProximityTab } from './monitor/proximity-tab.ts';
import { keepAudioActive, unlockAudioOnGesture } from './output/audio.ts';
import { waryNames } from './alerts/alert-text.ts';

export const ProximityContext = createContext<ProximityTab | null>(null);

/** Runs warnings while mounted and while the owner shares their location. */
export function ProximityProvider({ children }: { children: ReactNode }) {
  const user = useUser();
  const { card } = useCard();
  const { settings, quietPlaces } = useSettings();
  const sounds = useSoundLibrary();
  const leadingTab = useLeadingTab();
  const { isSharing } = useSharing();
  const [tab] = useState(() => new ProximityTab(user?.id ?? '', leadingTab));

  useEffect(() => {
    tab.start();
    return () => tab.stop();
  }, [tab]);
  useEffect(unlockAudioOnGesture, []);
  useEffect(() => keepAudioActive(isSharing), [isSharing]);
  useEffect(() => {
    if (!card || !quietPlaces || !sounds) return;
    tab.setPreferences({
      sharing: isSharing,
      ownWary: waryNames(card.dogs),
      settings,
      quietPlaces,
      ownSound: sounds.bytesOf,
    });
  }, [tab, card, isSharing, settings, quietPlaces, sounds]);

  return <ProximityContext value={tab}>{children}</ProximityContext>;
}
