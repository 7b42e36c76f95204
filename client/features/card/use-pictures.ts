import { useSyncExternalStore } from 'react';
import { useDocuments } from '../../platform/sync/documents/use-document.ts';
import type { WaitingPicture } from '../../platform/sync/outbox/upload-outbox.ts';
import { picturesOf } from './picture-outbox.ts';

const NONE: ReadonlyMap<string, WaitingPicture> = new Map();
const neverChanges = () => () => {};

/** Returns this device's unsent pictures by dog ID. */
export function usePictures(): ReadonlyMap<string, WaitingPicture> {
  const documents = useDocuments();
  const outbox = documents && picturesOf(documents);
  return useSyncExternalStore(
    outbox?.subscribe ?? neverChanges,
    () => outbox?.getPictures() ?? NONE,
  );
}
