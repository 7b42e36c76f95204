import { useMemo } from 'react';
import { readPushSettings, type PushSettings } from '#shared/push/document.ts';
import { useDocument, useDocuments } from '../../platform/sync/documents/use-document.ts';

/** Returns the owner's choices about pushes, synced to all devices; null until loaded. Writes take effect at once, even offline. */
export function usePushSettings() {
  const documents = useDocuments();
  const { status, doc } = useDocument('account');
  return useMemo(
    () => ({
      settings: status === 'ready' ? readPushSettings(doc) : null,
      save(changed: Partial<PushSettings>) {
        if (!documents) throw new Error('No one is signed in');
        documents.change('account', 'push.save', changed);
      },
    }),
    [documents, status, doc],
  );
}
