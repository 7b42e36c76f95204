import type { Repo, StorageAdapterInterface } from '@automerge/automerge-repo/slim';
import * as A from '@automerge/automerge/slim';

/** Loads the stored parts of a document that can be read. What depends on others waits in it. */
export function loadIntact(parts: readonly Uint8Array[]): A.Doc<unknown> {
  let doc = A.init<unknown>();
  for (const part of parts)
    try {
      doc = A.loadIncremental(doc, part);
    } catch (error) {
      console.warn('A part of a document is damaged', error);
    }
  return doc;
}

/**
 * Has a Repo ask the server for a document that is damaged on this device, instead of loading it forever. Until it is here, what can be
 * read is shown; then the Repo replaces the damaged parts. What was unsent is in the journal. Decision 12.
 * @param onDamaged called with its id
 */
export function surviveDamage(
  { storageSubsystem }: Repo,
  storage: StorageAdapterInterface,
  onDamaged: (documentId: string) => void,
): void {
  if (!storageSubsystem) return;
  const loadDoc = storageSubsystem.loadDoc.bind(storageSubsystem);
  storageSubsystem.loadDoc = async <T>(documentId: Parameters<typeof loadDoc>[0]) => {
    try {
      return await loadDoc<T>(documentId);
    } catch (error) {
      console.error('A document is damaged on this device', documentId, error);
      onDamaged(documentId);
      // It would say that what can't be read any more needn't be sent.
      await storage.removeRange([documentId, 'sync-state']);
      const stored = [
        ...(await storage.loadRange([documentId, 'snapshot'])),
        ...(await storage.loadRange([documentId, 'incremental'])),
      ];
      const doc = loadIntact(stored.flatMap(({ data }) => data ?? []));
      return A.getHeads(doc).length > 0 ? (doc as A.Doc<T>) : null;
    }
  };
}
