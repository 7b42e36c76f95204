import { useCallback, useEffect, useRef, useSyncExternalStore } from 'react';
import { toast } from 'sonner';
import { z } from 'zod';
import { writeWav } from '#shared/sounds/wav.ts';
import { DeviceValue } from '../../platform/device-value.ts';
import { useLeads } from '../../platform/events/leading-tab-provider.tsx';
import { PLATFORM } from '../../platform/install/install-event.ts';
import { PRODUCT } from '../../platform/product.ts';
import { useUser } from '../../platform/session/use-auth.tsx';
import { useWalksHere } from '../../platform/walks-here.ts';
import { SwitchRow } from '../settings/switch-row.tsx';

/**
 * Whether sounds go on behind a locked screen during walks with this device, at the cost of other audio (decision 290). `paused`: not
 * during the walk that goes on.
 */
const lockedSound = new DeviceValue('locked-sound', z.enum(['on', 'paused']));
type LockedSound = 'on' | 'paused' | null;

/** Elsewhere, it changed nothing (docs/browsers.md). */
const isAndroid = PLATFORM === 'android' && 'mediaSession' in navigator;

function useLockedSound() {
  const userId = useUser()?.id ?? '';
  const text = useSyncExternalStore(lockedSound.follow, () => lockedSound.text(userId));
  const set = useCallback((to: LockedSound) => lockedSound.set(userId, to), [userId]);
  return { value: JSON.parse(text) as LockedSound, set };
}

/** The switch of the option, for a list of settings; nothing where it doesn't help. */
export function LockedSoundRow() {
  const { value, set } = useLockedSound();
  if (!isAndroid) return null;
  return (
    <SwitchRow
      label="Keep sounds on with the screen locked"
      more="On this device, while you walk. It pauses music and podcasts. With the screen off, warnings end after about two minutes, so pocket mode is safer."
      checked={value !== null}
      onChange={(isOn) => set(isOn ? 'on' : null)}
    />
  );
}

/** Chrome takes media shorter than five seconds for a notification sound, without a media session. */
const SECONDS = 10;
const RATE = 8_000;

/** The smallest possible noise, at -90 dB: browsers end the session of an element that is muted or has no sound. */
function quietUrl(): string {
  const samples = Int16Array.from({ length: SECONDS * RATE }, (_, i) => i % 2);
  const wav = writeWav({ channels: 1, rate: RATE, samples });
  return URL.createObjectURL(new Blob([wav], { type: 'audio/wav' }));
}

/**
 * Plays practically nothing, so that the page counts as playing media.
 * @param onPause called when the system pauses it, such as for another app's music
 * @returns how to stop
 */
function playQuietly(onPause: () => void): () => void {
  const url = quietUrl();
  const audio = new Audio(url);
  audio.loop = true;
  // Before the first tap, such as after a reload, browsers refuse. Later, it would interrupt what paused it.
  const play = () => {
    audio.play().then(
      () => removeEventListener('pointerup', play, { capture: true }),
      (error: unknown) => console.info('No media session yet', error),
    );
  };
  addEventListener('pointerup', play, { capture: true });
  audio.addEventListener('pause', onPause);
  play();
  return () => {
    removeEventListener('pointerup', play, { capture: true });
    audio.removeEventListener('pause', onPause);
    audio.pause();
    audio.removeAttribute('src');
    URL.revokeObjectURL(url);
  };
}

const ACTIONS = ['pause', 'stop'] as const;

/** Shows the walk as what is playing. @param onPause called when the user pauses it there @returns how to stop */
function showSession(onPause: () => void): () => void {
  const { mediaSession } = navigator;
  for (const action of ACTIONS) mediaSession.setActionHandler(action, onPause);
  return () => {
    mediaSession.metadata = null;
    for (const action of ACTIONS) mediaSession.setActionHandler(action, null);
  };
}

/** Keeps sounds on behind a locked screen while `isWalking`, if the owner wants it. @param title of what seems to play */
export function useSoundWhileLocked(isWalking: boolean, title: string): void {
  const { value, set } = useLockedSound();
  const walksHere = useWalksHere();
  // Only one tab of a browser sounds warnings.
  const leads = useLeads();
  const isActive = isAndroid && value === 'on' && isWalking && leads;
  const named = useRef(title);
  const isShown = useRef(false);
  useEffect(() => {
    named.current = title;
    if (isShown.current) navigator.mediaSession.metadata = metadataOf(title);
  }, [title]);
  useEffect(() => {
    if (value === 'paused' && !walksHere) set('on');
  }, [value, walksHere, set]);
  useEffect(() => {
    if (!isActive) return undefined;
    const ends = [playQuietly(pause), showSession(pause)];
    navigator.mediaSession.metadata = metadataOf(named.current);
    isShown.current = true;
    function pause() {
      set('paused');
      toast('Sounds stop when your screen locks, for the rest of this walk. Keep the screen on.');
    }
    return () => {
      isShown.current = false;
      for (const end of ends) end();
    };
  }, [isActive, set]);
}

const metadataOf = (title: string) =>
  new MediaMetadata({
    title,
    artist: PRODUCT,
    artwork: [{ src: '/icons/icon-192.png', sizes: '192x192', type: 'image/png' }],
  });
