import { useSyncExternalStore } from 'react';
import { useDocuments } from '../../../platform/sync/documents/use-document.ts';
import type { WaitingPicture } from '../../../platform/sync/outbox/upload-outbox.ts';
import { attachmentsOf } from './attachment-outbox.ts';

const NONE: ReadonlyMap<string, WaitingPicture> = new Map();
const neverChanges = () => () => {};

/** Returns this device's photos and recordings that their messages don't show yet, by the key of the message. */
export function useAttachments(): ReadonlyMap<string, WaitingPicture> {
  const documents = useDocuments();
  const outbox = documents && attachmentsOf(documents);
  return useSyncExternalStore(
    outbox?.subscribe ?? neverChanges,
    () => outbox?.getPictures() ?? NONE,
  );
}
