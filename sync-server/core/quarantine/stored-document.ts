import { Binary, type ObjectId } from 'mongodb';
import { messageLimits } from '#shared/sync/limits.ts';
import type { Database, QuarantineRow } from '../database.ts';
import { chunksInLog } from '../documents/load-document.ts';
import { headsOfChunks } from '../protocol/stored-heads.ts';
import { validateChunks } from '../protocol/sync-message.ts';

/** All actors that a document has room for are in it. */
const STORED = { ...messageLimits, actors: Infinity };

/** A part of a stored document: its snapshot, or changes of one record. */
export interface StoredChunks {
  chunks: Uint8Array;
  /** Null for the snapshot. */
  record: ObjectId | null;
  isInQuarantine: boolean;
}

/** Returns what is stored of a document, in the order in which it is loaded; null if it does not exist. */
export async function readStored(
  database: Pick<Database, 'documents' | 'log' | 'quarantine'>,
  documentId: string,
): Promise<StoredChunks[] | null> {
  // Changes move from the log into the quarantine, and from both into snapshots.
  const inLog = await chunksInLog(database, documentId);
  const rows = await database.quarantine
    .find({ '_id.document': documentId, is_pending: true })
    .toArray();
  const row = await database.documents.findOne(
    { _id: documentId },
    { projection: { snapshot: 1 } },
  );
  if (!row) return null;
  const moved = new Set(rows.map(({ _id }) => _id.record.toHexString()));
  const left = inLog.filter(({ record }) => !moved.has(record.toHexString()));
  return [
    { chunks: row.snapshot.buffer, record: null, isInQuarantine: false },
    ...rows.map(({ _id, chunks }) => ({
      chunks: chunks.buffer,
      record: _id.record,
      isInQuarantine: true,
    })),
    ...left.map((each) => ({ ...each, isInQuarantine: false })),
  ];
}

/**
 * Returns the stored chunks of a document and its heads, without loading it with Automerge; null if it does not exist. Changes that no
 * device may send are left out: they would hang the devices that receive them.
 * @param inTurn runs the synchronous work
 * @throws when the snapshot is damaged, or such a one
 */
export async function readWithoutLoading(
  database: Pick<Database, 'documents' | 'log' | 'quarantine'>,
  documentId: string,
  inTurn: <T>(work: () => T) => Promise<T>,
): Promise<{ heads: string[]; chunks: Uint8Array[] } | null> {
  const stored = await readStored(database, documentId);
  if (!stored) return null;
  const [snapshot, ...changes] = stored.map((each) => each.chunks);
  return inTurn(() => {
    validateChunks([snapshot!], STORED);
    const chunks = [snapshot!, ...changes.filter(isValid)];
    return { heads: headsOfChunks(chunks), chunks };
  });
}

function isValid(chunks: Uint8Array): boolean {
  try {
    validateChunks([chunks], STORED);
    return true;
  } catch {
    return false;
  }
}

/** Copies a quarantined document's changes in the log to the quarantine, so that the log can be compacted. */
export async function moveToQuarantine(
  { log, quarantine }: Pick<Database, 'log' | 'quarantine'>,
  documentId: string,
): Promise<void> {
  for (const { record, chunks } of await chunksInLog({ log }, documentId)) {
    const _id: QuarantineRow['_id'] = { record, document: documentId };
    const $set = { chunks: new Binary(chunks), is_pending: true as const };
    await quarantine.updateOne({ _id }, { $set }, { upsert: true });
  }
}
