import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MongoClient } from 'mongodb';
import { buildIfStale } from '../../scripts/build/build-if-stale.ts';
import { seedCrowd } from '../../scripts/seed/seed-bulk.ts';
import { URI_FILE } from '../../scripts/stack/data-dir.ts';
import { freePort } from '../../scripts/stack/ports.ts';
import { startTerminal } from '../../tests/terminal.ts';
import { takeSnapshot, type Snapshot } from './process-usage.ts';

const CENTER = { latitude: 51.5007, longitude: -0.1246 };

/** The product, as `npm start` runs it, with seeded owners. */
export interface SeededProduct {
  origin: string;
  /** Returns what its processes have used so far. */
  snapshot(): Promise<Snapshot>;
  /** Its version, and what an owner's rows and indexes take on the disk. */
  database: { version: string; bytesPerOwner: number };
  close(): Promise<void>;
}

/**
 * Starts the product with its usual rate limits, behind a proxy that it trusts: each owner comes from an address of their own. Then it
 * adds owners with dogs, documents, friends and messages.
 */
export async function startSeededProduct(owners: number): Promise<SeededProduct> {
  await buildIfStale(process.env, console.error);
  const dataDir = await mkdtemp(join(tmpdir(), 'leashwise-load-'));
  const port = await freePort();
  const terminal = startTerminal({
    PORT: String(port),
    DATA_DIR: dataDir,
    NODE_ENV: 'production',
    RATE_LIMIT_SCALE: '1',
    TRUST_PROXY: 'true',
    // A product on loopback refuses requests that came through a proxy, unless this is set.
    ALLOW_SANDBOX: 'true',
  });
  let client: MongoClient | undefined;
  async function close(): Promise<void> {
    await client?.close();
    terminal.child.kill('SIGTERM');
    await terminal.exit;
    await rm(dataDir, { recursive: true, force: true });
  }
  try {
    await terminal.ready();
    const uri = (await readFile(join(dataDir, URI_FILE), 'utf8')).trim();
    const connected = await MongoClient.connect(uri, { ignoreUndefined: true });
    client = connected;
    return {
      origin: `http://localhost:${port}`,
      snapshot: () => takeSnapshot(dataDir, connected, terminal.child.pid ?? 0),
      database: await seed(connected, owners),
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

async function seed(client: MongoClient, owners: number): Promise<SeededProduct['database']> {
  const db = client.db('leashwise');
  // Sizes are those of the last checkpoint.
  await db.admin().command({ fsync: 1 });
  const before = await db.stats();
  await seedCrowd({ db, owners, seed: 1, at: CENTER, log: (line) => console.error(`  ${line}`) });
  await db.admin().command({ fsync: 1 });
  const after = await db.stats();
  const { version } = (await db.admin().buildInfo()) as { version: string };
  return { version, bytesPerOwner: (after['totalSize'] - before['totalSize']) / owners };
}
