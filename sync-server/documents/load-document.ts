import { setImmediate as yieldToOthers } from 'node:timers/promises';
import type { Database } from '../database.ts';
import { loadCore, type CoreDocument } from './automerge-core.ts';
import type { LoadedDocument } from './open-document.ts';

/** Returns the changes of a document in the log. */
export async function chunksInLog(
  { log }: Pick<Database, 'log'>,
  documentId: string,
): Promise<Uint8Array[]> {
  const records = await log
    .find({ 'entries.document': documentId })
    .project<{ entries?: { chunks: { buffer: Uint8Array } }[] }>({
      _id: 0,
      entries: { $elemMatch: { document: documentId } },
    })
    .toArray();
  return records.flatMap(({ entries }) => entries?.map(({ chunks }) => chunks.buffer) ?? []);
}

const LOAD_SLICE_MS = 8;

/** A stored document is damaged; others are not affected. */
export class UnreadableDocument extends Error {}

/**
 * Loads a document from its snapshot and the log; null if it does not exist. Reads the log first: changes that
 * compaction removes from it in the meantime are in the snapshot that is read afterwards.
 * @param charge called with the milliseconds that it kept the process busy, also if it fails
 * @throws UnreadableDocument, or an error of the database
 */
export async function loadDocument(
  database: Pick<Database, 'documents' | 'log'>,
  documentId: string,
  charge: (ms: number) => void = () => {},
): Promise<LoadedDocument | null> {
  const chunks = await chunksInLog(database, documentId);
  const row = await database.documents.findOne(
    { _id: documentId },
    { projection: { kind: 1, owner_user_id: 1, place: 1, snapshot: 1, snapshot_version: 1 } },
  );
  if (!row) return null;
  let core: CoreDocument | null = null;
  let sliceAt = performance.now();
  let busyMs = 0;
  try {
    core = loadCore(row.snapshot.buffer);
    const snapshotHeads = core.getHeads();
    for (const chunk of chunks) {
      core.loadIncremental(chunk);
      const sliceMs = performance.now() - sliceAt;
      if (sliceMs > LOAD_SLICE_MS) {
        busyMs += sliceMs;
        await yieldToOthers();
        sliceAt = performance.now();
      }
    }
    return { row, core, snapshotHeads };
  } catch (error) {
    core?.free();
    throw new UnreadableDocument('the stored document cannot be loaded', { cause: error });
  } finally {
    charge(busyMs + performance.now() - sliceAt);
  }
}
