import {
  MongoClientClosedError,
  MongoError,
  MongoErrorLabel,
  MongoExpiredSessionError,
  MongoNetworkError,
  MongoNotConnectedError,
  MongoOperationTimeoutError,
  MongoServerClosedError,
  MongoServerError,
  MongoServerSelectionError,
  MongoStalePrimaryError,
  MongoTopologyClosedError,
} from 'mongodb';

/** The driver can’t reach a server for the operation. */
const UNREACHABLE = [
  MongoClientClosedError,
  MongoExpiredSessionError,
  MongoNetworkError,
  MongoNotConnectedError,
  MongoOperationTimeoutError,
  MongoServerClosedError,
  MongoServerSelectionError,
  MongoStalePrimaryError,
  MongoTopologyClosedError,
];
/** The same; the driver does not export these classes. */
const UNREACHABLE_NAMES = new Set(['MongoPoolClosedError', 'MongoWaitQueueTimeoutError']);

/** A large command whose connection ends while it is written fails with the socket's own error. */
const LOST_WRITES = new Set<unknown>(['EPIPE', 'ECONNRESET']);
const isLostWrite = (error: unknown): boolean => {
  const { syscall, code } = error as { syscall?: string; code?: string };
  return error instanceof Error && syscall === 'write' && LOST_WRITES.has(code);
};

/** The server stops, steps down, or routes to one that does. */
const FAILOVER_CODES = new Set<unknown>([
  6, // HostUnreachable
  7, // HostNotFound
  43, // CursorNotFound: the server that had it restarted
  63, // StaleShardVersion
  89, // NetworkTimeout
  91, // ShutdownInProgress
  133, // FailedToSatisfyReadPreference
  134, // ReadConcernMajorityNotAvailableYet
  150, // StaleEpoch
  189, // PrimarySteppedDown
  9001, // SocketException
  10058, // LegacyNotPrimary
  10107, // NotWritablePrimary
  11600, // InterruptedAtShutdown
  11602, // InterruptedDueToReplStateChange
  13388, // StaleConfig
  13435, // NotPrimaryNoSecondaryOk
  13436, // NotPrimaryOrSecondary
]);
const FAILOVER_LABELS = [
  MongoErrorLabel.RetryableWriteError,
  MongoErrorLabel.RetryableError,
  MongoErrorLabel.PoolRequestedRetry,
];
/** The server is overloaded or out of disk space. */
const BUSY_CODES = new Set<unknown>([
  50, // MaxTimeMSExpired
  64, // WriteConcernTimeout
  112, // WriteConflict
  262, // ExceededTimeLimit
  14031, // OutOfDiskSpace
]);

/**
 * Classifies a temporary error of MongoDB: `failover`, after which a retry succeeds, or `busy`; null for other errors.
 * A bulk write wraps a lost connection in a `MongoBulkWriteError` without code or label, and reports a step-down per
 * operation or as a write concern error.
 */
export function databaseTrouble(error: unknown): 'failover' | 'busy' | null {
  if (error instanceof AggregateError) return worstOf(error.errors.map(databaseTrouble));
  if (isLostWrite(error)) return 'failover';
  if (!(error instanceof MongoError)) return null;
  if (UNREACHABLE_NAMES.has(error.name) || UNREACHABLE.some((kind) => error instanceof kind))
    return 'failover';
  if (error.hasErrorLabel(MongoErrorLabel.SystemOverloadedError)) return 'busy';
  if (FAILOVER_LABELS.some((label) => error.hasErrorLabel(label))) return 'failover';
  const trouble = troubleOfCode(error.code);
  if (trouble || !(error instanceof MongoServerError)) return trouble;
  const parts = [error['writeErrors'], error.writeConcernError].flat() as (
    | { code?: number }
    | undefined
  )[];
  return worstOf([
    ...parts.map((part) => troubleOfCode(part?.code)),
    databaseTrouble(error.errorResponse),
  ]);
}

const troubleOfCode = (code: unknown) =>
  FAILOVER_CODES.has(code) ? 'failover' : BUSY_CODES.has(code) ? 'busy' : null;

const worstOf = (troubles: ('failover' | 'busy' | null)[]) =>
  troubles.find((trouble) => trouble === 'busy') ?? troubles.find(Boolean) ?? null;

/** Returns whether a unique index rejected the write. */
export const isDuplicate = (error: unknown): boolean =>
  error instanceof MongoServerError && error.code === 11_000;
