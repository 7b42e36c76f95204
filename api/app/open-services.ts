import type { Db } from 'mongodb';
import type { ServerNode } from '#shared/server/node.ts';
import { openSignals } from '#shared/server/signals.ts';
import { RuleBook } from '../features/content-rules/rule-book.ts';
import { openAudit } from '../platform/admin/audit.ts';
import { auditLog } from '../platform/admin/collections.ts';
import { createJobs } from '../platform/background-jobs.ts';
import type { Env } from '../platform/env.ts';
import { EventStreams } from '../platform/events/event-streams.ts';
import { createImageStore } from '../platform/files/images.ts';
import { createIdempotency } from '../platform/http/idempotency.ts';
import { InFlight } from '../platform/http/in-flight.ts';
import { createLimiters } from '../platform/http/rate-limit.ts';
import { openSpool } from '../platform/http/spool.ts';
import { openMailQueue } from '../platform/mail-queue/mail-queue.ts';
import { openNodeLease, soleNodeLease } from '../platform/node-lease.ts';
import { openPush } from '../platform/push/push-queue.ts';
import type { Services } from '../platform/services.ts';
import { createSessionCache } from '../platform/session-cache.ts';
import { createSyncServerClient } from '../platform/sync-server-client.ts';
import { composePush } from './compose-push.ts';

const MiB = 1024 * 1024;
/** Uploads are spooled to disk, which may be memory in a container. */
const UPLOADS_IN_FLIGHT_BYTES = 64 * MiB;
const BODIES_IN_FLIGHT_BYTES = 32 * MiB;

/** Opens the platform's services, which close with the node. @param draining aborted when the node is about to close */
export async function openServices(
  env: Env,
  { log, metrics, database: db, bus, onClose }: ServerNode<Db>,
  draining: AbortSignal,
): Promise<Services> {
  const signals = openSignals(db.collection('signals'), (err) =>
    log.warn({ err }, 'lost the signal stream; reconnecting'),
  );
  onClose(() => signals.close());
  const people = createSessionCache(db, signals);
  onClose(() => people.close());
  const lease = bus.isShared ? await openNodeLease(db, env.API_PORT, log) : soleNodeLease();
  onClose(() => lease.close());
  const jobs = createJobs(log, lease, onClose, metrics);
  const { registerJob } = jobs;
  const limiter = createLimiters(db, env.RATE_LIMIT_SCALE, env.RATE_LIMITS);
  const inFlight = (bytes: number) => new InFlight(bytes, env.RATE_LIMIT_SCALE);
  const spool = await openSpool();
  onClose(() => spool.close());
  const ruleBook = new RuleBook(db, signals);
  onClose(() => ruleBook.stop());
  const documents = createSyncServerClient(env.SYNC_INTERNAL_URL, env.SYNC_SECRET);
  const events = new EventStreams(bus, { signals });
  const parts = { env, log, db, registerJob, onClose };
  return {
    env,
    draining,
    log,
    metrics,
    db,
    signals,
    bus,
    people,
    documents,
    events,
    idempotency: createIdempotency(db),
    personalData: new Set(),
    mailQueue: openMailQueue(parts),
    push: openPush({ ...parts, compose: composePush, documents, events }),
    images: createImageStore(db),
    audit: openAudit(auditLog(db)),
    ruleBook,
    limiter,
    limitChanges: limiter({ name: 'changes', points: 600, seconds: 60 }),
    limitUploads: limiter({ name: 'uploads', points: 60, seconds: 600 }),
    uploads: { spool, inFlight: inFlight(UPLOADS_IN_FLIGHT_BYTES) },
    bodiesInFlight: inFlight(BODIES_IN_FLIGHT_BYTES),
    onClose,
    ...jobs,
  };
}
