/** Collections that describe running processes, or that are worthless after a minute. No archive has them. */
export const RUNTIME_COLLECTIONS: ReadonlySet<string> = new Set([
  'backups',
  'document_locks',
  'leases',
  'nodes',
  'positions',
  'push_queue',
  'rate_limits',
  'restores',
  'sandbox_sign_in_codes',
  'signals',
  'stranger_sightings',
  'sync_nodes',
]);

/**
 * Collections of which the newest archive counts, also if an older one is restored: access and money that were used stay used, sessions
 * that ended stay ended.
 */
export const LEDGER_COLLECTIONS: readonly string[] = [
  'access_codes',
  'access_code_uses',
  'access_grants',
  'ad_payments',
  'ad_slots',
  'advertisement_bookings',
  'advertisers',
  'audit_log',
  'bans',
  'deletions',
  'donations',
  'message_reports',
  'moderation_log',
  'opt_outs',
  'outbox',
  'payment_events',
  'payment_tokens',
  'removed_message_hashes',
  'report_evidence',
  'sandbox_payments',
  'sessions',
  'user_warnings',
];

/** Collections of the ledger that are combined with the restored rows, one by one: see apply-ledger.ts. */
export const COMBINED_COLLECTIONS: readonly string[] = ['users', 'pairs'];

/**
 * Read after all others, in this order, where no snapshot is possible. The log is read before the documents: a change that was moved to a
 * snapshot in the meantime is in both. What pays for something, and what was deleted, is read after its effects.
 */
export const READ_LAST: readonly string[] = [
  'access_grants',
  'access_code_uses',
  'access_codes',
  'donations',
  'payment_tokens',
  'sandbox_payments',
  'document_log',
  'document_quarantine',
  'documents',
  'images.files',
  'images.chunks',
  'sounds.files',
  'sounds.chunks',
  'deletions',
];

/** GridFS: a file has a row in `<bucket>.files`, and its content in `<bucket>.chunks`. Files never change. */
export const FILE_BUCKETS = ['images', 'sounds'] as const;
