import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { withMongodbUri } from '#shared/server/server-env.ts';
import { lockDataDir, URI_FILE, type DataDir } from '../stack/data-dir.ts';
import { startMongodb, type Mongodb } from '../stack/mongodb.ts';

/** The database of an installation, and its secret. */
export interface Installation {
  uri: string;
  database: string;
  /** Null if there is none yet. */
  syncSecret: { value: string; isStored: boolean } | null;
  /** Stores the secret in DATA_DIR; where that isn't possible, it is logged. */
  storeSecret(secret: string): void;
  /** Stops MongoDB, if it was started for this. */
  close(): Promise<void>;
}

/**
 * Opens the database at MONGODB_URI, or of the instance whose data is in DATA_DIR (default ./data), whether it is running or not.
 * @param isExclusive whether no instance may be running
 * @throws when there is no database, or an instance is running
 */
export async function openInstallation(
  env: NodeJS.ProcessEnv,
  isExclusive: boolean,
  log: (line: string) => void,
): Promise<Installation> {
  const dataDir = env['DATA_DIR'] || './data';
  const secretFile = join(dataDir, 'sync-secret');
  const configured = env['SYNC_SECRET'];
  const stored = () => (existsSync(secretFile) ? readFileSync(secretFile, 'utf8').trim() : null);
  const secret = (wasThere: string | null) => {
    if (configured) return { value: configured, isStored: false };
    return wasThere === null ? null : { value: wasThere, isStored: true };
  };
  const common = {
    database: env['MONGODB_DB'] || 'leashwise',
    storeSecret(value: string) {
      try {
        mkdirSync(dataDir, { recursive: true });
        writeFileSync(secretFile, value, { mode: 0o600 });
      } catch {
        log(
          `${secretFile} can’t be written. Start the servers with the secret of the backup: SYNC_SECRET=${value}`,
        );
      }
    },
  };
  const before = stored();
  const { MONGODB_URI } = withMongodbUri(env);
  if (MONGODB_URI)
    return {
      ...common,
      uri: MONGODB_URI,
      syncSecret: secret(before),
      close: async () => {},
    };
  if (!isExclusive && !existsSync(join(dataDir, 'mongodb')))
    throw new Error(`There is no database in ${dataDir}. Set DATA_DIR or MONGODB_URI.`);
  const lock = await lockDataDir(dataDir).catch((error: unknown) => {
    if (isExclusive) throw error;
    return null;
  });
  if (!lock) {
    const uri = readFileSync(join(dataDir, URI_FILE), 'utf8').trim();
    return { ...common, uri, syncSecret: secret(before), close: async () => {} };
  }
  const mongodb = await startOwn(lock, env, log);
  return {
    ...common,
    uri: mongodb.uri,
    // Locking the folder has created one.
    syncSecret: secret(before),
    async close() {
      await mongodb.close();
      lock.release();
    },
  };
}

async function startOwn(
  lock: DataDir,
  env: NodeJS.ProcessEnv,
  log: (line: string) => void,
): Promise<Mongodb> {
  try {
    return await startMongodb({ dataDir: lock.path, env, log });
  } catch (error) {
    lock.release();
    throw error;
  }
}
