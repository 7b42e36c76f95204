import type { Collection, Db } from 'mongodb';
import { unavailable } from '#shared/http/http-error.ts';
import { openSignals } from '#shared/server/signals.ts';
import { composePush } from '../api/app/compose-push.ts';
import { RuleBook } from '../api/features/content-rules/rule-book.ts';
import { openDatabase } from '../api/platform/database.ts';
import { readEnv } from '../api/platform/env.ts';
import { createIdempotency } from '../api/platform/http/idempotency.ts';
import { openMailQueue } from '../api/platform/mail-queue/mail-queue.ts';
import { openPush } from '../api/platform/push/push-queue.ts';
import type { Services } from '../api/platform/services.ts';
import { createSyncServerClient, type Documents } from '../api/platform/sync-server-client.ts';
import type { TestApi } from './api.ts';

/** Additional services on the same servers as the running API, so that tests can interrupt code that uses them. */
export interface SpareServices {
  services: Services;
  /** Runs the background job with this name. */
  runJob(name: string): Promise<unknown>;
  close(): Promise<void>;
}

/** @param api the API whose database, sync server, and settings are used */
export async function spareServices(api: TestApi): Promise<SpareServices> {
  const env = readEnv(api.env);
  const db = await openDatabase(env.MONGODB_URI, env.MONGODB_DB);
  const signals = openSignals(db.collection('signals'), () => {});
  const ruleBook = new RuleBook(db, signals);
  const jobs = new Map<string, Parameters<Services['registerJob']>[1]>();
  const closers: (() => void | Promise<void>)[] = [];
  const log = { warn() {}, error() {}, info() {} } as unknown as Services['log'];
  const onClose: Services['onClose'] = (run) => void closers.push(run);
  const registerJob: Services['registerJob'] = (name, run) => void jobs.set(name, run);
  const documents = createSyncServerClient(env.SYNC_INTERNAL_URL, env.SYNC_SECRET);
  const services = {
    env,
    log,
    db,
    signals,
    ruleBook,
    documents,
    idempotency: createIdempotency(db),
    mailQueue: openMailQueue({ env, log, db, registerJob, onClose }),
    push: openPush({
      compose: composePush,
      env,
      log,
      db,
      documents,
      events: { send() {} },
      registerJob,
      onClose,
    }),
    onClose,
    registerJob,
    runJobSoon() {},
    isJobNode: () => true,
  } satisfies Partial<Services> as unknown as Services;
  return {
    services,
    runJob: async (name) => jobs.get(name)?.(false),
    async close() {
      for (const run of closers.toReversed()) await run();
      ruleBook.stop();
      await signals.close();
      await db.client.close();
    },
  };
}

/** Returns services whose sync server becomes unavailable after a certain call. @param gone decides after each call */
export function cutOff(
  services: Services,
  gone: (call: keyof Documents, name: unknown) => boolean,
): Services {
  let isAway = false;
  const documents = new Proxy(services.documents, {
    get:
      (all, key: keyof Documents) =>
      async (...args: unknown[]) => {
        const away = () => unavailable('sync-server', new Error('cut off by the test'));
        if (isAway) throw away();
        const answer = await (all[key] as (...given: unknown[]) => Promise<unknown>)(...args);
        isAway = gone(key, args[2]);
        if (isAway) throw away();
        return answer;
      },
  });
  return { ...services, documents };
}

/** Returns the database with some collections replaced. */
export function replacing(db: Db, replace: (collection: Collection) => Collection): Db {
  return new Proxy(db, {
    get(all, key) {
      if (key === 'collection') return (name: string) => replace(all.collection(name));
      const value: unknown = Reflect.get(all, key, all);
      return typeof value === 'function' ? (value.bind(all) as unknown) : value;
    },
  });
}
