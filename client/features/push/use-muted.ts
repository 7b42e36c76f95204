import { useMemo } from 'react';
import { readMuted } from '#shared/push/document.ts';
import { useDocument, useDocuments } from '../../platform/sync/documents/use-document.ts';

/** Returns the people whose messages cause no notification on any device, and mutes them. Works offline. */
export function useMuted() {
  const documents = useDocuments();
  const { doc } = useDocument('account');
  return useMemo(
    () => ({
      muted: readMuted(doc),
      mute: (user_id: string, is_muted: boolean) =>
        documents?.change('account', 'push.mute', { user_id, is_muted }),
    }),
    [documents, doc],
  );
}
