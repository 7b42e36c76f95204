import { useSyncExternalStore } from 'react';
import { useDocuments } from '../sync/documents/use-document.ts';
import { picturesOf, type WaitingPicture } from './picture-outbox.ts';

const NONE: ReadonlyMap<string, WaitingPicture> = new Map();
const neverChanges = () => () => {};

/** Pictures that this device still has to send, by dog. */
export function usePictures(): ReadonlyMap<string, WaitingPicture> {
  const documents = useDocuments();
  const outbox = documents && picturesOf(documents);
  return useSyncExternalStore(
    outbox?.subscribe ?? neverChanges,
    () => outbox?.getPictures() ?? NONE,
  );
}

/** How many pictures the server does not have yet. */
export function useUnsentPictures(): number {
  return [...usePictures().values()].filter(({ state }) => state === 'waiting').length;
}
