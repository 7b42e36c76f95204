import { MongoClient, type Db } from 'mongodb';
import { refuseUnfinishedRestore } from '#shared/server/backup-rows.ts';
import { durable } from '#shared/server/write-concern.ts';
import { openInstallation } from '../backup/open-installation.ts';

/**
 * Runs `work` with the database of the installation at MONGODB_URI, or in DATA_DIR, whether it is running or not. An error is printed, and
 * the command ends with 1.
 */
export async function withDatabase(work: (db: Db) => Promise<void>): Promise<void> {
  try {
    const installation = await openInstallation(process.env, false, console.error);
    const client = new MongoClient(installation.uri, {
      serverSelectionTimeoutMS: 5_000,
      ignoreUndefined: true,
    });
    try {
      const db = client.db(installation.database, { writeConcern: await durable(client) });
      await refuseUnfinishedRestore(db);
      await work(db);
    } finally {
      await client.close();
      await installation.close();
    }
  } catch (error) {
    console.error(error instanceof Error ? error.message : String(error));
    process.exitCode = 1;
  }
}
