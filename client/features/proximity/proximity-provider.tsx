import {
  createContext,
  useEffect,
  useMemo,
  useState,
  useSyncExternalStore,
  type ReactNode,
} from 'react';
import { useLeadingTab } from '../../platform/events/leading-tab-provider.tsx';
import { OFFLINE, offlineText } from '../../platform/offline-text.ts';
import { useUser } from '../../platform/session/use-auth.tsx';
import { useOwnCard } from '../card/use-card.ts';
import { useLookalikes } from '../friends/lookalike-note.tsx';
import { useContacts } from '../friends/use-contacts.ts';
import { useSettings } from '../settings/use-settings.ts';
import { keepAudioActive, unlockAudioOnGesture } from '../sounds/audio.ts';
import { useSoundWhileLocked } from '../sounds/locked-sound.tsx';
import { useSoundLibrary } from '../sounds/use-sounds.ts';
import { listed } from './alerts/alert-text.ts';
import { ownSide } from './alerts/verdict.ts';
import { leashPlaceAt } from './leash-places.ts';
import { ProximityTab } from './monitor/proximity-tab.ts';
import { useDogsAlong } from './use-dogs-along.ts';
import { useEndedElsewhere, useWalkAge, useWalking } from './use-walking.ts';
import { firstReport, followWalking, settleStart } from './walk-start.ts';

export const ProximityContext = createContext<ProximityTab | null>(null);

/** Runs warnings while mounted and while the owner walks with this device. */
export function ProximityProvider({ children }: { children: ReactNode }) {
  const user = useUser();
  const card = useOwnCard();
  const { along, ids } = useDogsAlong();
  const { settings, quietPlaces } = useSettings();
  const sounds = useSoundLibrary();
  const leadingTab = useLeadingTab();
  const { isWalking, setWalking } = useWalking();
  useEndedElsewhere();
  useWalkAge();
  const isFirstReport = useSyncExternalStore(firstReport.subscribe, firstReport.get);
  const sharing = isWalking || isFirstReport;
  const { status: contactsStatus, contacts } = useContacts();
  const friendIds = useMemo(
    () => new Set(contacts.friends.map(({ user_id }) => user_id)),
    [contacts.friends],
  );
  const lookalikeOf = useLookalikes();
  const userId = user?.id ?? '';
  const [tab] = useState(() => new ProximityTab(userId, leadingTab));

  useEffect(() => {
    tab.start();
    return () => tab.stop();
  }, [tab]);
  useEffect(unlockAudioOnGesture, []);
  useEffect(() => keepAudioActive(isWalking), [isWalking]);
  useSoundWhileLocked(
    isWalking,
    along.length > 0 ? `Walk with ${listed(along.map(({ name }) => name))}` : 'Walk',
  );
  useEffect(() => followWalking(isWalking), [isWalking]);
  useEffect(() => {
    if (!isWalking) return undefined;
    offlineText.set('Warnings are paused: no connection.');
    return () => offlineText.set(OFFLINE);
  }, [isWalking]);
  useEffect(
    () => tab.subscribe(() => settleStart(tab.getState().status, () => setWalking(false))),
    [tab, setWalking],
  );
  useEffect(
    () =>
      tab.subscribe(() => {
        const { receivedAt, status } = tab.getState();
        const isRefused = status === 'denied' || status === 'unsupported';
        if (isRefused || receivedAt !== null) firstReport.set(false);
      }),
    [tab],
  );
  useEffect(() => {
    if (!card || !quietPlaces || !sounds) return;
    // Otherwise friends would be announced until it is known that they are friends.
    if (settings.silence_friends && contactsStatus === 'loading') return;
    tab.setPreferences({
      sharing,
      isWalking,
      ownSide: ownSide(along),
      dogIds: ids,
      leashPlaceAt: (place) => leashPlaceAt(userId, place),
      friendIds,
      lookalikeOf,
      settings,
      quietPlaces,
      ownSound: sounds.bytesOf,
    });
  }, [
    tab,
    userId,
    card,
    along,
    ids,
    sharing,
    isWalking,
    settings,
    quietPlaces,
    sounds,
    contactsStatus,
    friendIds,
    lookalikeOf,
  ]);

  return <ProximityContext value={tab}>{children}</ProximityContext>;
}
