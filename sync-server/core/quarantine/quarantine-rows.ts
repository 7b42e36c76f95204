import type { Collection, Document } from 'mongodb';
import type { DocumentKind } from '#shared/document-kinds.ts';
import { DAY_MS, MINUTE_MS } from '#shared/time.ts';
import type { DocumentRow } from '../database.ts';

/** A document in whose processing a process ended this often within a day is quarantined. */
export const FAILURES_MAX = 2;
/** The pause before the next trial, which doubles with each, from this one on. */
const FIRST_PAUSE_MS = MINUTE_MS;
const DOUBLED_MAX = 10;

const isRecent = {
  $gt: [{ $ifNull: ['$quarantine.failed_at', new Date(0)] }, { $subtract: ['$$NOW', DAY_MS] }],
};
const recent = (field: string): Document => ({
  $cond: [isRecent, { $ifNull: [`$quarantine.${field}`, 0] }, 0],
});
/** The first trial is made at once. */
const pauseMs = {
  $cond: [
    { $eq: [recent('trials'), 0] },
    0,
    { $multiply: [FIRST_PAUSE_MS, { $pow: [2, { $min: [recent('trials'), DOUBLED_MAX] }] }] },
  ],
};
const nextTrial = { $add: ['$$NOW', pauseMs] };

/** Notes that a process ended while it worked on these documents, or one of them. Quarantines those to which it happened repeatedly. */
export async function recordFailures(
  documents: Collection<DocumentRow>,
  ids: readonly string[],
): Promise<void> {
  if (ids.length === 0) return;
  const failures = { $add: [recent('failures'), 1] };
  const isTooOften = { $gte: [failures, FAILURES_MAX] };
  const quarantine = {
    failures,
    failed_at: '$$NOW',
    trials: recent('trials'),
    retry_at: {
      $cond: [isTooOften, nextTrial, { $ifNull: ['$quarantine.retry_at', '$$REMOVE'] }],
    },
  };
  await documents.updateMany({ _id: { $in: [...ids] } }, [{ $set: { quarantine } }]);
}

/** Quarantines a document that cannot be loaded. */
export async function quarantineNow(
  documents: Collection<DocumentRow>,
  documentId: string,
): Promise<void> {
  const failed_at = { $ifNull: ['$quarantine.failed_at', '$$NOW'] };
  const retry_at = { $ifNull: ['$quarantine.retry_at', nextTrial] };
  await documents.updateOne({ _id: documentId }, [
    { $set: { 'quarantine.failed_at': failed_at, 'quarantine.retry_at': retry_at } },
  ]);
}

/** Quarantines all documents of some kinds of an owner that were not tried within a day: each is tried before a server loads it. */
export async function quarantineUntried(
  documents: Collection<DocumentRow>,
  ownerUserId: string,
  kinds: readonly DocumentKind[],
): Promise<void> {
  const isUntried = {
    $or: [
      { 'quarantine.trials': { $exists: false } },
      { 'quarantine.trials': 0 },
      { 'quarantine.failed_at': { $lte: new Date(Date.now() - DAY_MS) } },
    ],
  };
  const quarantine = {
    failures: recent('failures'),
    failed_at: { $cond: [isRecent, '$quarantine.failed_at', '$$NOW'] },
    trials: 0,
    retry_at: '$$NOW',
  };
  await documents.updateMany(
    {
      owner_user_id: ownerUserId,
      kind: { $in: [...kinds] },
      'quarantine.retry_at': { $exists: false },
      ...isUntried,
    },
    [{ $set: { quarantine } }],
  );
}

/** Notes a trial that did not succeed. */
export async function retryLater(
  documents: Collection<DocumentRow>,
  documentId: string,
): Promise<void> {
  await documents.updateOne({ _id: documentId, 'quarantine.retry_at': { $exists: true } }, [
    { $set: { 'quarantine.trials': { $add: [recent('trials'), 1] } } },
    { $set: { 'quarantine.retry_at': nextTrial } },
  ]);
}

/** Ends the quarantine of a document. Its failures are remembered for a day. */
export async function release(
  documents: Collection<DocumentRow>,
  documentId: string,
): Promise<void> {
  await documents.updateOne({ _id: documentId }, [
    { $set: { 'quarantine.trials': { $add: [recent('trials'), 1] } } },
    { $unset: 'quarantine.retry_at' },
  ]);
}
