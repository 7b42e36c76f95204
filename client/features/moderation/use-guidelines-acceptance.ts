import { useCallback, useEffect, useState } from 'react';
import { z } from 'zod';
import { readAcceptance } from '#shared/moderation/acceptance.ts';
import { readCache, writeCache } from '../../platform/local-cache.ts';
import { useUser } from '../../platform/session/use-auth.tsx';
import { useDocument, useDocuments } from '../../platform/sync/documents/use-document.ts';

const NAME = 'guidelines-agreed';
const agreed = z.iso.datetime();

/**
 * Returns when the user accepted the community safety guidelines, and how to accept them: effective at once on this device
 * and synced to the others. While the account is loading, another device may have accepted them.
 */
export function useGuidelinesAcceptance(): {
  acceptedAt: string | null;
  isLoading: boolean;
  accept: () => void;
} {
  const user = useUser();
  const userId = user?.id ?? '';
  const documents = useDocuments();
  const { status, doc } = useDocument('account');
  const [agreedAt, setAgreedAt] = useState(() => readCache(agreed, userId, NAME));
  const isReady = status === 'ready';
  const inAccount = isReady ? readAcceptance(doc) : null;

  const accept = useCallback(() => {
    const now = new Date().toISOString();
    writeCache(userId, NAME, now);
    setAgreedAt(now);
  }, [userId]);

  useEffect(() => {
    if (inAccount && inAccount !== agreedAt) {
      writeCache(userId, NAME, inAccount);
      setAgreedAt(inAccount);
    } else if (!inAccount && agreedAt && isReady)
      documents?.change('account', 'guidelines.accept', { at: agreedAt });
  }, [inAccount, agreedAt, isReady, userId, documents]);

  const acceptedAt = inAccount ?? agreedAt;
  return { acceptedAt, isLoading: acceptedAt === null && status === 'loading', accept };
}
