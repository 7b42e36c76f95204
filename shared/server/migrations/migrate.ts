import { setTimeout as wait } from 'node:timers/promises';
import type { Db } from 'mongodb';
import { newId } from '#shared/ids.ts';
import { takeLease, type LeaseRow } from '../lease.ts';
import type { Log } from '../log.ts';
import { stillStarting } from '../run-server.ts';
import { durable } from '../write-concern.ts';
import type { Migration } from './migration.ts';
import { MIGRATIONS } from './migrations.ts';

/** `migrations`: one row per migration that is done. */
interface MigrationRow {
  /** The name. */
  _id: string;
  done_at: Date;
  /** How long the run that completed it took. */
  duration_ms: number;
}

/** The row of `leases`. */
const LEASE = 'migrations';

interface Times {
  /** Without renewal, the lease expires after this time. */
  leaseMs: number;
  /** How often it is renewed; and how often the others check whether they can start. */
  checkMs: number;
}

const TIMES: Times = { leaseMs: 15_000, checkMs: 1_000 };

/**
 * Runs the migrations that this database lacks, on one node at a time; the others wait until all are done. Call it before the node
 * serves. Nodes of the previous version may be running.
 * @throws when the database is newer than this version, or when a migration fails: a later start repeats it
 */
export async function migrate(
  db: Db,
  log: Log,
  migrations: readonly Migration[] = MIGRATIONS,
  { leaseMs, checkMs }: Times = TIMES,
): Promise<void> {
  const writeConcern = await durable(db.client);
  const rows = db.collection<MigrationRow>('migrations', { writeConcern });
  const leases = db.collection<LeaseRow>('leases');
  const self = newId();

  async function missing(): Promise<Migration[]> {
    const done = new Set(
      // From the index alone.
      (await rows.find({}, { projection: { _id: 1 }, hint: { _id: 1 } }).toArray()).map(idOf),
    );
    const lacking = migrations.filter(({ name }) => !done.delete(name));
    if (done.size > 0) throw new Error(newerDatabase([...done]));
    return lacking;
  }

  for (;;) {
    if ((await missing()).length === 0) return;
    const takenAt = performance.now();
    const lease = await takeLease(leases, LEASE, self, { lastsMs: leaseMs });
    if (lease?.holder === self) return runAll(takenAt);
    stillStarting();
    await wait(checkMs);
  }

  async function runAll(takenAt: number): Promise<void> {
    // The database sets the expiry later than this, so this node never believes in it for longer.
    let heldUntil = takenAt + leaseMs;
    const renew = async () => {
      const askedAt = performance.now();
      const lease = await takeLease(leases, LEASE, self, { lastsMs: leaseMs }).catch(() => null);
      if (lease) heldUntil = lease.holder === self ? askedAt + leaseMs : 0;
    };
    let renewing = Promise.resolve();
    const timer = setInterval(() => {
      renewing = renew();
    }, checkMs);
    const proceed = () => {
      stillStarting();
      if (performance.now() > heldUntil)
        throw new Error('this node was cut off from the database for too long');
    };
    try {
      // Another node may have completed some between the look and the lease.
      for (const { name, run } of await missing()) {
        log.info({ migration: name }, 'migrating');
        const startedAt = performance.now();
        try {
          await run(db, proceed);
          proceed();
        } catch (error) {
          throw new Error(failed(name, error), { cause: error });
        }
        const duration_ms = Math.round(performance.now() - startedAt);
        const row = { done_at: new Date(), duration_ms };
        await rows.updateOne({ _id: name }, { $set: row }, { upsert: true });
        log.info({ migration: name, ms: duration_ms }, 'migrated');
      }
    } finally {
      clearInterval(timer);
      await renewing;
      await leases.deleteOne({ _id: LEASE, holder: self }).catch(() => {});
    }
  }
}

const idOf = ({ _id }: { _id: string }): string => _id;

const newerDatabase = (names: string[]): string =>
  `The database was changed by a newer version of Leashwise (${names.join(', ')}), and this version can’t read it reliably. ` +
  'Start the newer version, or restore a backup from before the update.';

const failed = (name: string, error: unknown): string =>
  `The migration ${name} failed: ${error instanceof Error ? error.message : String(error)}. ` +
  'It’s repeated at the next start. See docs/operations.md, Updates.';
