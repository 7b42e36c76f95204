import type { Db } from 'mongodb';
import type { Router } from '@koa/router';
import type { Signals } from '#shared/server/signals.ts';
import type { Audit } from './admin/audit.ts';
import type { Documents } from './sync-server-client.ts';
import type { Env } from './env.ts';
import type { EventStreams } from './events/streams.ts';
import type { ImageFiles } from './files/images.ts';
import type { Uploads } from './files/upload.ts';
import type { PersonalDataHandler } from './personal-data.ts';
import type { Idempotency } from './http/idempotency.ts';
import type { InFlight } from './http/in-flight.ts';
import type { RuleBook } from './moderation/rules/rule-cache.ts';
import type { Log } from './log.ts';
import type { Outbox } from './outbox/outbox.ts';
import type { SessionCache } from './session-cache.ts';
import type { Limit, Limiter } from './http/rate-limit.ts';

/** What every feature may use. */
export interface Services {
  env: Env;
  log: Log;
  db: Db;
  signals: Signals;
  people: SessionCache;
  documents: Documents;
  /** Whoever listens to GET /api/events here, and may be told something. */
  events: EventStreams;
  idempotency: Idempotency;
  /** What each feature holds about a person, for export and deletion. */
  personalData: Set<PersonalDataHandler>;
  outbox: Outbox;
  /** Every act of an admin that changes something goes through it. */
  audit: Audit;
  /** Pictures, of dogs and whatever else has one. */
  images: ImageFiles;
  /** The rules for what people write. */
  ruleBook: RuleBook;
  limiter(limit: Limit): Limiter;
  /** Counts a user's document changes, each of which stays in a history. */
  limitChanges: Limiter;
  /** Counts a user's uploads, or a network's. */
  limitUploads: Limiter;
  /** Where uploads go while they are read. */
  uploads: Uploads;
  /** What JSON bodies may take up while they are under way. */
  bodiesInFlight: InFlight;
  /** Registers what must end when the api closes; runs in reverse order. */
  onClose(run: () => void | Promise<void>): void;
  /** Registers what runs now and then, such as taking away expired rows. */
  sweep(name: string, run: () => Promise<unknown>): void;
  /** Runs a sweep within a second, for what could not be done just now; while it fails, with waits that double. */
  sweepSoon(name: string): void;
}

/** Where features are mounted. */
export interface Api {
  router: Router;
  services: Services;
}
