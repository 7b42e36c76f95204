import { setImmediate as yieldToOthers } from 'node:timers/promises';
import { loadCore, type CoreDocument } from './automerge-core.ts';
import type { Database, DocumentRow } from './database.ts';

export interface LoadedDocument {
  row: Pick<DocumentRow, '_id' | 'kind' | 'owner_user_id' | 'place' | 'snapshot_version'>;
  core: CoreDocument;
  /** What of it is in the snapshot. */
  snapshotHeads: string[];
}

const SLICE_MS = 8;

/**
 * Loads a document from its snapshot and its part of the log; null when there is none. The log is read first: whatever
 * compaction takes out of it meanwhile is in the snapshot that is read after.
 */
export async function loadDocument(
  database: Pick<Database, 'documents' | 'log'>,
  documentId: string,
): Promise<LoadedDocument | null> {
  const records = await database.log
    .find({ 'entries.document': documentId })
    .project<{ entries?: { chunks: { buffer: Uint8Array } }[] }>({
      _id: 0,
      entries: { $elemMatch: { document: documentId } },
    })
    .toArray();
  const row = await database.documents.findOne(
    { _id: documentId },
    { projection: { kind: 1, owner_user_id: 1, place: 1, snapshot: 1, snapshot_version: 1 } },
  );
  if (!row) return null;
  const core = loadCore(row.snapshot.buffer);
  const snapshotHeads = core.getHeads();
  let until = performance.now() + SLICE_MS;
  try {
    for (const { entries } of records) {
      const chunks = entries?.[0]?.chunks.buffer;
      if (!chunks) continue;
      core.loadIncremental(chunks);
      if (performance.now() > until) {
        await yieldToOthers();
        until = performance.now() + SLICE_MS;
      }
    }
  } catch (error) {
    core.free();
    throw error;
  }
  return { row, core, snapshotHeads };
}
