import { useSyncExternalStore } from 'react';
import { useDocuments } from '../../platform/sync/documents/use-document.ts';
import { soundsOf, type OwnedSound, type SoundLibrary } from './sound-library.ts';

const NONE: readonly OwnedSound[] = [];
const neverChanges = () => () => {};

/** Returns the sound library on this device; null if no one is signed in. */
export function useSoundLibrary(): SoundLibrary | null {
  const documents = useDocuments();
  return documents && soundsOf(documents);
}

/** Returns the owner's own alert sounds, at most one of each type. */
export function useSounds(): readonly OwnedSound[] {
  const library = useSoundLibrary();
  return useSyncExternalStore(
    library?.subscribe ?? neverChanges,
    () => library?.getSounds() ?? NONE,
  );
}
