import { useSyncExternalStore } from 'react';
import { useDocuments } from '../sync/documents/use-document.ts';
import { soundsOf, type OwnedSound, type SoundLibrary } from './sound-library.ts';

const NONE: readonly OwnedSound[] = [];
const neverChanges = () => () => {};

/** The owner's own sounds on this device; null when nobody is signed in. */
export function useSoundLibrary(): SoundLibrary | null {
  const documents = useDocuments();
  return documents && soundsOf(documents);
}

/** The owner's own alert sounds, at most one a type. */
export function useSounds(): readonly OwnedSound[] {
  const library = useSoundLibrary();
  return useSyncExternalStore(
    library?.subscribe ?? neverChanges,
    () => library?.getSounds() ?? NONE,
  );
}

/** How many recordings the server does not have yet. */
export function useUnsentSounds(): number {
  return useSounds().filter(({ state }) => state === 'waiting').length;
}
