import type { Router } from '@koa/router';
import type { Context } from 'koa';
import type { Db } from 'mongodb';
import type { Bus } from '#shared/bus/bus.ts';
import type { Log } from '#shared/server/log.ts';
import type { Metrics } from '#shared/server/metrics.ts';
import type { Signals } from '#shared/server/signals.ts';
import type { Audit } from './admin/audit.ts';
import type { RegisterJob } from './background-jobs.ts';
import type { Indexes } from './database.ts';
import type { Env } from './env.ts';
import type { EventStreams } from './events/event-streams.ts';
import type { ImageFiles } from './files/images.ts';
import type { Idempotency } from './http/idempotency.ts';
import type { InFlight } from './http/in-flight.ts';
import type { Limiter, Limiters } from './http/rate-limit.ts';
import type { Uploads } from './http/upload.ts';
import type { MailQueue } from './mail-queue/mail-queue.ts';
import type { PersonalDataHandler } from './personal-data.ts';
import type { PushComposers } from './push/compose.ts';
import type { Push } from './push/push-queue.ts';
import type { SessionCache } from './session-cache.ts';
import type { Documents } from './sync-server-client.ts';

/** Shared services for every feature. A feature declares there what it shares itself (`declare module`). */
export interface Services {
  env: Env;
  /** Aborted when this node is about to close; balancers send no more requests then. */
  draining: AbortSignal;
  log: Log;
  metrics: Metrics;
  db: Db;
  signals: Signals;
  bus: Bus;
  people: SessionCache;
  documents: Documents;
  /** The event streams (GET /api/events) that are open on this server. */
  events: EventStreams;
  idempotency: Idempotency;
  /** The personal-data handlers of all features. */
  personalData: Set<PersonalDataHandler>;
  mailQueue: MailQueue;
  push: Push;
  /** Records every admin action that changes something. */
  audit: Audit;
  /** Pictures of dogs, ads, and charities. */
  images: ImageFiles;
  limiter: Limiters;
  /** Limits a user’s document changes, each of which stays in a history. */
  limitChanges: Limiter;
  /** Limits uploads per user, or per network for visitors. */
  limitUploads: Limiter;
  /** Spools uploads to disk. */
  uploads: Uploads;
  /** Limits the memory for JSON bodies in progress. */
  bodiesInFlight: InFlight;
  /** Registers a cleanup that runs when the API closes, in reverse order. */
  onClose(run: () => void | Promise<void>): void;
  /** Registers a background job, such as deleting expired rows. It runs on one node at a time. */
  registerJob: RegisterJob;
  /** Runs a job within a few seconds, for a step that failed just now; retries it with growing waits. */
  runJobSoon(name: string): void;
  /** Runs all background jobs once, as after the start. @returns when they have ended */
  runAllJobs(): Promise<void>;
  /** Whether this node runs the background jobs now. */
  isJobNode(): boolean;
}

/** What features offer to those that are mounted later. Each declares its own part (`declare module`). */
export interface Offers {}

/** The parts of the API on which features are mounted. */
export interface Api {
  router: Router;
  /** The calls without parameters, by method and path: the router tries hundreds of patterns for each request. */
  direct: Map<string, { respond(ctx: Context): Promise<void>; isAtStart: boolean }>;
  services: Services;
  offers: Partial<Offers>;
}

/** @throws when the feature that offers it is not mounted before */
export function offered<Name extends keyof Offers>(api: Api, name: Name): Offers[Name] {
  if (!(name in api.offers)) throw new Error(`Nothing offers ${name} yet: see api/app/features.ts`);
  return api.offers[name] as Offers[Name];
}

/** What the API knows of a feature. */
export interface ApiFeature {
  /** The indexes of its collections. */
  indexes?: Indexes;
  /** What exports and erases the data that it has of a user. */
  personalData?: readonly ((services: Services) => PersonalDataHandler)[];
  /** The texts of its push topics. */
  pushes?: PushComposers;
  /** Adds its routes and background jobs, and personal data that only its own services know. */
  mount?(api: Api): void | Promise<void>;
}
