import { createContext, useEffect, useState, type ReactNode } from 'react';
import { useLeadingTab } from '../events/leading-tab-provider.tsx';
import { useCard } from '../profile/use-card.ts';
import { useAuth } from '../session/use-auth.tsx';
import { ProximityTab } from './proximity-tab.ts';
import { turnSoundOnAtGesture } from './sound.ts';

export const ProximityContext = createContext<ProximityTab | null>(null);

/** Warns, for as long as it is on the screen and its owner shares their location. */
export function ProximityProvider({ children }: { children: ReactNode }) {
  const { user } = useAuth();
  const { card } = useCard();
  const leadingTab = useLeadingTab();
  const [tab] = useState(() => new ProximityTab(user?.id ?? '', leadingTab));

  useEffect(() => {
    tab.start();
    return () => tab.stop();
  }, [tab]);
  useEffect(turnSoundOnAtGesture, []);
  useEffect(() => {
    if (!card) return;
    const wary = card.dogs.filter((dog) => dog.sound_type === 'leash_on').map((dog) => dog.name);
    tab.setCard(card.is_location_sharing_enabled, wary);
  }, [tab, card]);

  return <ProximityContext value={tab}>{children}</ProximityContext>;
}
