import { useMemo } from 'react';
import { readSharing } from '#shared/account/sharing.ts';
import { cachedSharing } from '../../platform/sync/documents/card-cache.ts';
import { useDocument, useDocuments } from '../../platform/sync/documents/use-document.ts';
import { forgetSharing, recordSharing } from '../../platform/sync/journal/sharing-journal.ts';

interface Sharing {
  isSharing: boolean;
  /** @throws if the account isn't loaded */
  saveSharing: (isEnabled: boolean) => void;
}

/** Returns the owner's location sharing setting, synced to all devices; the cached one until the documents are open. */
export function useSharing(): Sharing {
  const documents = useDocuments();
  const account = useDocument('account');
  const userId = documents?.userId;
  const isSharing = useMemo(() => {
    if (account.status === 'ready') return readSharing(account.doc) === true;
    return userId !== undefined && cachedSharing(userId) === true;
  }, [account, userId]);
  return useMemo(
    () => ({
      isSharing,
      saveSharing: (isEnabled) => {
        if (!documents) throw new Error('No one is signed in');
        const { userId: owner } = documents;
        const decision = recordSharing(owner, isEnabled);
        documents.change('account', 'sharing.save', { is_location_sharing_enabled: isEnabled });
        void documents.flush().then(() => forgetSharing(owner, decision));
      },
    }),
    [isSharing, documents],
  );
}
