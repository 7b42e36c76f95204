import type { Db } from 'mongodb';
import { openDatabase } from '../../api/platform/database.ts';
import { openInstallation } from '../backup/open-installation.ts';

/**
 * Runs `work` with the database of the installation at MONGODB_URI, or in DATA_DIR, whether it is running or not. An error is printed, and
 * the command ends with 1.
 */
export async function withDatabase(work: (db: Db) => Promise<void>): Promise<void> {
  try {
    const installation = await openInstallation(process.env, false, console.error);
    try {
      const db = await openDatabase(installation.uri, installation.database);
      await work(db).finally(() => db.client.close());
    } finally {
      await installation.close();
    }
  } catch (error) {
    console.error(error instanceof Error ? error.message : String(error));
    process.exitCode = 1;
  }
}
