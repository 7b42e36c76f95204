import { useSyncExternalStore } from 'react';
import { useDocuments } from '../../../platform/sync/documents/use-document.ts';
import { attachedOf, NOTHING_ATTACHED, type Attached } from './attached.ts';

const nothing = () => () => {};

/** Returns what is attached to the next message to a friend, and how to change it. */
export function useAttached(friendUserId: string) {
  const documents = useDocuments();
  const files = documents && attachedOf(documents);
  const attached = useSyncExternalStore(files?.subscribe ?? nothing, () =>
    files ? files.of(friendUserId) : NOTHING_ATTACHED,
  );
  return {
    ...attached,
    hasRoomFor: (file: Pick<Blob, 'size'>) => files?.hasRoomFor(file) ?? false,
    /** @param stored whether a sent message has what is removed, which stays on the disk until then */
    change: (next: (before: Attached) => Partial<Attached>, stored?: Promise<boolean>) => {
      files
        ?.change(friendUserId, (before) => ({ ...before, ...next(before) }), stored)
        .catch((error: unknown) => console.error('Failed to keep what is attached', error));
    },
  };
}
