import { useMemo, useSyncExternalStore } from 'react';
import { useDocuments } from '../../../platform/sync/documents/use-document.ts';
import type { WaitingPicture } from '../../../platform/sync/outbox/upload-outbox.ts';
import { isOfPlace, placePhotosOf } from './photo-outbox.ts';

const NONE: ReadonlyMap<string, WaitingPicture> = new Map();
const neverChanges = () => () => {};

function usePlacePhotos(): ReadonlyMap<string, WaitingPicture> {
  const documents = useDocuments();
  const outbox = documents && placePhotosOf(documents);
  return useSyncExternalStore(
    outbox?.subscribe ?? neverChanges,
    () => outbox?.getPictures() ?? NONE,
  );
}

/** Returns this device's photos of a place that the server doesn't have or rejected, newest first. */
export function useWaitingPhotos(placeId: string): (WaitingPicture & { id: string })[] {
  const photos = usePlacePhotos();
  return useMemo(
    () =>
      [...photos]
        .filter(([id]) => isOfPlace(id, placeId))
        .map(([id, photo]) => ({ id, ...photo }))
        .toReversed(),
    [photos, placeId],
  );
}
