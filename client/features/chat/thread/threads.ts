import type { DocumentsPart } from '../../../platform/sync/documents/documents-part.ts';
import { isChatShown } from '../../friends/chat-path.ts';
import { summariesOf } from '../conversations/conversation-cache.ts';
import type { ThreadDocuments } from './thread-documents.ts';

/** The threads with friends: `documents.part(THREADS)`. */
export const THREADS: DocumentsPart<ThreadDocuments> = {
  isShown: isChatShown,
  async load() {
    const [{ ThreadDocuments: Threads }, { createSearchWorker }] = await Promise.all([
      import('./thread-documents.ts'),
      import('../search/search-worker-client.ts'),
    ]);
    return (owner, opening) =>
      new Threads(owner.userId, summariesOf(owner), opening, createSearchWorker);
  },
};
