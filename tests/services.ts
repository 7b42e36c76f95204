import type { Collection, Db } from 'mongodb';
import { openSignals } from '#shared/server/signals.ts';
import { openDatabase } from '../api/database.ts';
import { createSyncServerClient, type Documents } from '../api/sync-server-client.ts';
import { readEnv } from '../api/env.ts';
import { idempotency } from '../api/http/idempotency.ts';
import { RuleBook } from '../api/moderation/rules/rule-cache.ts';
import { openOutbox } from '../api/outbox/outbox.ts';
import { unavailable } from '../api/http/http-error.ts';
import type { Services } from '../api/services.ts';
import type { TestApi } from './api.ts';

/** Services beside those of the api that runs, on the same servers: what uses them can be cut off anywhere. */
export interface SpareServices {
  services: Services;
  /** Runs what was registered under the name. */
  sweep(name: string): Promise<unknown>;
  close(): Promise<void>;
}

/** @param api its database, sync server and settings are used */
export async function spareServices(api: TestApi): Promise<SpareServices> {
  const env = readEnv(api.env);
  const db = await openDatabase(env.MONGODB_URI, env.MONGODB_DB);
  const signals = openSignals(db.collection('signals'), () => {});
  const ruleBook = new RuleBook(db, signals);
  const sweeps = new Map<string, () => Promise<unknown>>();
  const closers: (() => void | Promise<void>)[] = [];
  const log = { warn() {}, error() {}, info() {} } as unknown as Services['log'];
  const onClose: Services['onClose'] = (run) => void closers.push(run);
  const sweep: Services['sweep'] = (name, run) => void sweeps.set(name, run);
  const services = {
    env,
    log,
    db,
    signals,
    ruleBook,
    documents: createSyncServerClient(env.SYNC_INTERNAL_URL, env.SYNC_SECRET),
    idempotency: idempotency(db),
    outbox: openOutbox({ env, log, db, sweep, onClose }),
    onClose,
    sweep,
    sweepSoon() {},
  } satisfies Partial<Services> as unknown as Services;
  return {
    services,
    sweep: async (name) => sweeps.get(name)?.(),
    async close() {
      for (const run of closers.toReversed()) await run();
      ruleBook.stop();
      await signals.close();
      await db.client.close();
    },
  };
}

/** The same with a sync server that goes away as soon as something was done. @param gone told what was just done */
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

/** The same database with other collections in the place of some. */
export function replacing(db: Db, replace: (collection: Collection) => Collection): Db {
  return new Proxy(db, {
    get(all, key) {
      if (key === 'collection') return (name: string) => replace(all.collection(name));
      const value: unknown = Reflect.get(all, key, all);
      return typeof value === 'function' ? (value.bind(all) as unknown) : value;
    },
  });
}
