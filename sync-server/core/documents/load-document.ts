import { setImmediate as yieldToOthers } from 'node:timers/promises';
import type { ObjectId } from 'mongodb';
import type { Database } from '../database.ts';
import { measureAndCharge } from '../measure-and-charge.ts';
import { loadCore, type CoreDocument } from './automerge-core.ts';
import { currentDocument } from './current-document.ts';
import type { LoadedDocument } from './open-document.ts';

/** Returns the changes of a document in the log, by record. */
export async function chunksInLog(
  { log }: Pick<Database, 'log'>,
  documentId: string,
): Promise<{ record: ObjectId; chunks: Uint8Array }[]> {
  const records = await log
    .find({ 'entries.document': documentId })
    .project<{ _id: ObjectId; entries?: { chunks: { buffer: Uint8Array } }[] }>({
      entries: { $elemMatch: { document: documentId } },
    })
    .toArray();
  return records.flatMap(
    ({ _id, entries }) =>
      entries?.map(({ chunks }) => ({ record: _id, chunks: chunks.buffer })) ?? [],
  );
}

const LOAD_SLICE_MS = 8;
const LOADED_FIELDS = {
  kind: 1,
  owner_user_id: 1,
  place: 1,
  snapshot: 1,
  snapshot_version: 1,
  successor: 1,
  operations_before: 1,
  'quarantine.retry_at': 1,
};

/** A stored document is damaged; others are not affected. */
export class UnreadableDocument extends Error {}

/** A stored document is not loaded, because a server might not survive it. */
export class QuarantinedDocument extends UnreadableDocument {}

/**
 * Loads a document from its snapshot and the log; null if it does not exist. Reads the log first: changes that
 * compaction removes from it in the meantime are in the snapshot that is read afterwards.
 * @param charge called with the milliseconds that it kept the process busy, also if it fails
 * @param inTurn runs a synchronous piece of the work
 * @throws UnreadableDocument or QuarantinedDocument, or an error of the database
 */
export async function loadDocument(
  database: Pick<Database, 'documents' | 'log'>,
  documentId: string,
  charge: (ms: number) => void = () => {},
  inTurn: <T>(work: () => T) => Promise<T> = async (work) => work(),
): Promise<LoadedDocument | null> {
  const inLog = await chunksInLog(database, documentId);
  const row = await database.documents.findOne({ _id: documentId }, { projection: LOADED_FIELDS });
  if (!row) return null;
  if (row.quarantine?.retry_at) throw new QuarantinedDocument('the document is in quarantine');
  let core: CoreDocument | null = null;
  let busyMs = 0;
  const count = (ms: number) => {
    busyMs += ms;
  };
  const step = <T>(work: () => T) =>
    inTurn(() => measureAndCharge(count, () => currentDocument.during(documentId, work)));
  try {
    core = await step(() => loadCore(row.snapshot.buffer));
    const loading = core;
    const snapshotHeads = core.getHeads();
    for (let next = 0; next < inLog.length;) {
      const from = next;
      next = await step(() => loadSome(loading, inLog, from));
      if (next < inLog.length) await yieldToOthers();
    }
    return { row, core, snapshotHeads };
  } catch (error) {
    core?.free();
    throw new UnreadableDocument('the stored document cannot be loaded', { cause: error });
  } finally {
    charge(busyMs);
  }
}

/** @returns the index of the first chunk for which there was no time */
function loadSome(
  core: CoreDocument,
  inLog: readonly { chunks: Uint8Array }[],
  from: number,
): number {
  const startedAt = performance.now();
  let next = from;
  do core.loadIncremental(inLog[next++]!.chunks);
  while (next < inLog.length && performance.now() - startedAt < LOAD_SLICE_MS);
  return next;
}
