const MiB = 1024 * 1024;

/** What a frame of the wire may weigh. Larger ones are refused before they are read. */
export const FRAME_MAX_BYTES = 2 * MiB;
/** What the chunks of a message may weigh inflated. */
export const INFLATED_MAX_BYTES = 4 * MiB;
/** What the chunks of a message may expand to: operations, and entries of any of their columns. */
export const EXPANDED_MAX = 20_000;
/** What a document may weigh uncompressed, and how many operations it may hold: more is not accepted. */
export const DOCUMENT_MAX_BYTES = 4 * MiB;
export const DOCUMENT_MAX_OPS = 30_000;
/** What no device writes may become so many times as large: it grows by what others do, and a block must find room in it. */
export const SERVERS_OWN_ROOM = 3;
/** Compressing more than this at once would be felt by everybody: larger documents are kept and sent as they are. */
export const COMPRESS_MAX_BYTES = MiB;
/** This many documents are ready for whoever needs them next, however many are open. */
export const AWAKE_MAX = 256;
/** Beyond that, those that nobody needed for this long rest. */
export const REST_AFTER_MS = 3000;
/** What is heavier rests uncompressed. */
export const REST_COMPRESSED_MAX_BYTES = 128 * 1024;
/** Older clients, whose changes say when they were made, may still send them for this long after an upgrade. */
export const TIMES_ACCEPTED_MS = 28 * 24 * 60 * 60 * 1000;
/** Changes whose dependencies are missing wait in memory, up to this. */
export const WAITING_MAX_BYTES = MiB;

export const EPHEMERAL_MAX_BYTES = 4096;
export const SOCKETS_PER_USER = 20;
/** Documents that a socket may have open. */
export const DOCUMENTS_PER_SOCKET = 10_000;
/** Ids on one socket that were nobody's, or somebody else's. */
export const REFUSALS_PER_SOCKET = 2000;
/** A socket that has not joined by then is closed. */
export const JOIN_MS = 10_000;
/** A closed socket is cut off when the other end has not read its way to the end by then. */
export const CLOSING_MS = 5000;
export const PING_MS = 30_000;
export const SWEEP_MS = 30_000;

/** What may wait to be sent to a socket: over the first, ephemeral messages are left out; over the second, it is cut off. */
export const SEND_BUFFER_SOFT_BYTES = 256 * 1024;
export const SEND_BUFFER_MAX_BYTES = 16 * MiB;

/**
 * What a user's sockets together may ask for: a message costs 1, more the longer it is and the longer it takes.
 * A device that meets 3,000 documents for the first time stays within the burst.
 */
export const BUDGET_BURST = 10_000;
export const BUDGET_PER_SECOND = 500;
export const COST_PER_BYTE = 1 / 4096;
/** What is sent costs its sender less: documents in bulk go out at 8 MB a second, after the first 160 MB. */
export const COST_PER_SENT_BYTE = 1 / 16_384;
export const COST_PER_MS = 5;
export const COST_OF_REFUSAL = 4;
/** For each socket, it is looked up what its user may read. */
export const COST_OF_SOCKET = 20;
export const COST_OF_MARK = 0.05;
export const COST_OF_FOLLOWING = 0.2;
/** A list of what a user may read is looked at again within this, rather than asked for again. */
export const LIST_KEPT_MS = 2000;
/** Documents whose state is remembered after they were closed. */
export const REMEMBERED_MAX = 20_000;

/** So many people's cards are published to their friends at once, each to so many friends at a time. */
export const PUBLISHED_AT_ONCE = 4;
export const FRIEND_CARDS_AT_ONCE = 8;

/** The log is moved into snapshots when it holds this many records or bytes. */
export const LOG_MAX_RECORDS = 5000;
export const LOG_MAX_BYTES = 32 * MiB;
/** Messages about documents are taken in together, and their changes committed together, this often under load. */
export const BEAT_MS = 12;
/** A batch is one record of the log, which has to stay well below MongoDB's 16 MiB. */
export const BATCH_MAX_BYTES = 8 * MiB;
