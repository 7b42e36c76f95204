import { useSyncExternalStore } from 'react';
import { useDocuments } from '../../../platform/sync/documents/use-document.ts';
import type { WaitingPicture } from '../../../platform/sync/outbox/upload-outbox.ts';
import { photosOf } from './photo-outbox.ts';

const NONE: ReadonlyMap<string, WaitingPicture> = new Map();
const neverChanges = () => () => {};

/** Returns this device's photos that their messages don't show yet, by the key of the message. */
export function usePhotos(): ReadonlyMap<string, WaitingPicture> {
  const documents = useDocuments();
  const outbox = documents && photosOf(documents);
  return useSyncExternalStore(
    outbox?.subscribe ?? neverChanges,
    () => outbox?.getPictures() ?? NONE,
  );
}
