import { parseArgs } from 'node:util';
import { readBackupKey } from '../backup/archive-encryption.ts';
import { openInstallation } from '../backup/open-installation.ts';
import { restoreBackup } from '../backup/restore-backup.ts';

const HELP = `npm run admin -- restore <file.backup> [--replace]

Restores a backup into the installation at MONGODB_URI, or in DATA_DIR (default ./data), which must not be running. A backup with changes
needs its full backup in the same folder. Deletions, blocks, access codes and payments are taken from the newest backup in the folder.
The whole backup is checked before anything is written, and no server starts until the restore is complete.

--replace  replaces the data that is there; it is backed up into the same folder before

BACKUP_KEY_FILE  names the file with the key (or set BACKUP_KEY)`;

try {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      replace: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  const [archive] = positionals;
  if (values.help || archive === undefined) {
    console.log(HELP);
    process.exit(values.help ? 0 : 1);
  }
  const key = readBackupKey(process.env);
  const installation = await openInstallation(process.env, true, console.log);
  try {
    const { uri, database, syncSecret, storeSecret } = installation;
    const { rows } = await restoreBackup({
      uri,
      database,
      key,
      archive,
      isReplacing: values.replace,
      // The one that an empty installation made for itself counts for nothing.
      syncSecret: syncSecret && !syncSecret.isStored ? syncSecret.value : null,
      replacedSecret: syncSecret?.value ?? null,
      storeSecret,
      log: console.log,
    });
    console.log(`Restored ${rows} rows from ${archive}. Start Leashwise again.`);
  } finally {
    await installation.close();
  }
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error));
  process.exit(1);
}
