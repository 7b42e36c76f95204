import { createContext, useEffect, useMemo, useState, type ReactNode } from 'react';
import { useLeadingTab } from '../events/leading-tab-provider.tsx';
import { useContacts } from '../friends/use-contacts.ts';
import { leashPlaceAt } from '../locations/leash-places.ts';
import { useOwnCard } from '../profile/use-card.ts';
import { useSharing } from '../profile/use-sharing.ts';
import { useUser } from '../session/use-auth.tsx';
import { useSettings } from '../settings/use-settings.ts';
import { useSoundLibrary } from '../sounds/use-sounds.ts';
import { ProximityTab } from './monitor/proximity-tab.ts';
import { keepAudioActive, unlockAudioOnGesture } from './output/audio.ts';
import { waryNames } from './alerts/alert-text.ts';
import { followSharing, settleStart } from './walk-start.ts';

export const ProximityContext = createContext<ProximityTab | null>(null);

/** Runs warnings while mounted and while the owner shares their location. */
export function ProximityProvider({ children }: { children: ReactNode }) {
  const user = useUser();
  const card = useOwnCard();
  const { settings, quietPlaces } = useSettings();
  const sounds = useSoundLibrary();
  const leadingTab = useLeadingTab();
  const { isSharing, saveSharing } = useSharing();
  const { status: contactsStatus, contacts } = useContacts();
  const friendIds = useMemo(
    () => new Set(contacts.friends.map(({ user_id }) => user_id)),
    [contacts.friends],
  );
  const userId = user?.id ?? '';
  const [tab] = useState(() => new ProximityTab(userId, leadingTab));

  useEffect(() => {
    tab.start();
    return () => tab.stop();
  }, [tab]);
  useEffect(unlockAudioOnGesture, []);
  useEffect(() => keepAudioActive(isSharing), [isSharing]);
  useEffect(() => followSharing(isSharing), [isSharing]);
  useEffect(
    () => tab.subscribe(() => settleStart(tab.getState().status, () => saveSharing(false))),
    [tab, saveSharing],
  );
  useEffect(() => {
    if (!card || !quietPlaces || !sounds) return;
    // Otherwise friends would be announced until it is known that they are friends.
    if (settings.silence_friends && contactsStatus === 'loading') return;
    tab.setPreferences({
      sharing: isSharing,
      ownWary: waryNames(card.dogs),
      leashPlaceAt: (place) => leashPlaceAt(userId, place),
      friendIds,
      settings,
      quietPlaces,
      ownSound: sounds.bytesOf,
    });
  }, [tab, userId, card, isSharing, settings, quietPlaces, sounds, contactsStatus, friendIds]);

  return <ProximityContext value={tab}>{children}</ProximityContext>;
}
