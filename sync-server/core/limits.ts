import { DAY_MS } from '#shared/time.ts';

const MiB = 1024 * 1024;

/** Compressing more than this would block the event loop: larger documents are stored and sent uncompressed. */
export const COMPRESS_MAX_BYTES = MiB;
/** Documents that stay loaded, however many are open. */
export const LOADED_MAX = 256;
/** Above that, documents that were not used for this long are evicted. */
export const EVICT_AFTER_MS = 3000;
/** Larger documents are evicted without compression. */
export const EVICTED_COMPRESSED_MAX_BYTES = 128 * 1024;
/** Older clients may send changes with timestamps for this long after an upgrade. */
export const TIMES_ACCEPTED_MS = 28 * DAY_MS;
/** Maximum size of changes that wait in memory for their dependencies. */
export const WAITING_MAX_BYTES = MiB;

export const EPHEMERAL_MAX_BYTES = 4096;
export const SOCKETS_PER_USER = 20;
/** Documents that a connection may have open or subscribe to. */
export const DOCUMENTS_PER_SOCKET = 10_000;
/** Refused documents that a connection remembers: those that don't exist or that the user may not read. */
export const REFUSALS_PER_SOCKET = 2000;
/** A client that has not joined within this time is disconnected. */
export const JOIN_MS = 10_000;
/** A closed socket is terminated if the client has not completed closing within this time. */
export const CLOSING_MS = 5000;
export const PING_MS = 30_000;
/** The longest that a device may send nothing while it receives, in addition to that. */
export const SILENT_MAX_MS = 600_000;
/** The device is told before larger messages, which take some time on a slow line. */
export const ANNOUNCED_FROM_BYTES = 8 * 1024;
export const CHECK_MS = 30_000;

/** Data waiting to be sent: above the first limit, ephemeral messages are dropped; above the second, the socket is terminated. */
export const SEND_BUFFER_SOFT_BYTES = 256 * 1024;
export const SEND_BUFFER_MAX_BYTES = 16 * MiB;

/**
 * Rate limit of all connections of a user: a message costs 1, plus its size and the time that it takes.
 * A device that receives 3,000 documents for the first time stays within the burst.
 */
export const BUDGET_BURST = 10_000;
export const BUDGET_PER_SECOND = 500;
export const COST_PER_BYTE = 1 / 4096;
/** Sent bytes cost less: documents are sent in bulk at 8 MB a second, after the first 160 MB. */
export const COST_PER_SENT_BYTE = 1 / 16_384;
export const COST_PER_MS = 5;
/** Documents that are loaded for a user at the same time, most of which wait for the database. */
export const LOADS_AT_ONCE = 16;
/** Loading a document is charged from this many milliseconds on. */
export const FREE_LOAD_MS = 4;
export const COST_OF_REFUSAL = 4;
/** The permissions of the user are looked up for each connection. */
export const COST_OF_SOCKET = 20;
export const COST_OF_MARK = 0.05;
export const COST_OF_FOLLOWING = 0.2;
/** The permissions of a user are reused within this time. */
export const SNAPSHOT_REUSED_MS = 2000;
/** Number of closed documents whose marks are remembered. */
export const CLOSED_MARKS_MAX = 20_000;

/** Users whose cards are published at the same time, each to this many friends at a time. */
export const PUBLISHED_AT_ONCE = 4;
export const FRIEND_CARDS_AT_ONCE = 8;

/** The log is compacted when it has this many records or bytes. */
export const LOG_MAX_RECORDS = 5000;
export const LOG_MAX_BYTES = 32 * MiB;
/** Documents whose snapshots are written together: their projections are waited for once. */
export const COMPACTED_AT_ONCE = 8;
/** How long compaction pauses after these, in multiples of the time that they took. */
export const COMPACTION_PAUSE = 4;
/** The shortest time between two compactions: records stay for a while, so a run right after another one finds few. */
export const COMPACTION_GAP_MS = 20_000;
/** The shortest time between two batches of messages, whose changes are stored together. */
export const BATCH_INTERVAL_MS = 9;
/** A batch of changes is one record of the log, which has to stay well below MongoDB's limit of 16 MiB. */
export const BATCH_MAX_BYTES = 8 * MiB;
/** Documents that failed are projected this often, until nothing of theirs can be stored late. */
export const PROJECT_FAILED_MS = 10_000;
