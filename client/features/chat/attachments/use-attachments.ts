import { useSyncExternalStore } from 'react';
import { HOUR_MS } from '#shared/time.ts';
import { useDocuments } from '../../../platform/sync/documents/use-document.ts';
import type { WaitingPicture } from '../../../platform/sync/outbox/upload-outbox.ts';
import { useNow } from '../../../platform/use-now.ts';
import { attachmentsOf } from './attachment-outbox.ts';

const NONE: ReadonlyMap<string, WaitingPicture> = new Map();
const neverChanges = () => () => {};
/** The server has a photo or recording within minutes, or its author's device is offline, has lost it, or was refused. */
const LATE_AFTER_MS = HOUR_MS;

/** Whether a photo or recording of a message should have arrived. */
export const useIsLate = (sentAt: string): boolean => useNow() - Date.parse(sentAt) > LATE_AFTER_MS;

/** Returns this device's photos and recordings that their messages don't show yet, by the key of the message. */
export function useAttachments(): ReadonlyMap<string, WaitingPicture> {
  const documents = useDocuments();
  const outbox = documents && attachmentsOf(documents);
  return useSyncExternalStore(
    outbox?.subscribe ?? neverChanges,
    () => outbox?.getPictures() ?? NONE,
  );
}
