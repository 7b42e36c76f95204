import { parseArgs } from 'node:util';
import { readBackupKey } from '../backup/archive-encryption.ts';
import { createBackup, deleteOldArchives } from '../backup/create-backup.ts';
import { openInstallation } from '../backup/open-installation.ts';

const HELP = `npm run admin -- backup <folder or file.backup> [--changes | --ledger] [--days 30]

Writes an encrypted backup of the installation at MONGODB_URI, or in DATA_DIR (default ./data), and reads it again. In a folder, it gets
a name with its kind and time.

--changes  everything, but only the documents and files that are new since the newest full backup in the folder
--ledger   only what must not go back in time: deletions, blocks, sessions, access codes, payments; small enough for every minute
--days     deletes backups that are older than so many days and not needed for newer ones (at most 90)

BACKUP_KEY_FILE  names a file with the key: openssl rand -hex 32 > backup.key (or set BACKUP_KEY)`;

const DAYS_MAX = 90;
const MB = 1024 * 1024;

try {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      changes: { type: 'boolean', default: false },
      ledger: { type: 'boolean', default: false },
      days: { type: 'string' },
      help: { type: 'boolean', default: false },
    },
  });
  const [target] = positionals;
  if (values.help || target === undefined || (values.changes && values.ledger)) {
    console.log(HELP);
    process.exit(values.help ? 0 : 1);
  }
  const days = values.days === undefined ? null : Number(values.days);
  if (days !== null && !(Number.isInteger(days) && days >= 1 && days <= DAYS_MAX))
    throw new Error(`--days must be a whole number from 1 to ${DAYS_MAX}`);
  const key = readBackupKey(process.env);
  const installation = await openInstallation(process.env, false, console.log);
  try {
    const { uri, database, syncSecret } = installation;
    const kind = values.changes ? 'changes' : values.ledger ? 'ledger' : 'full';
    const done = await createBackup({
      uri,
      database,
      key,
      kind,
      target,
      syncSecret: syncSecret?.value ?? null,
    });
    const seconds = (done.ms / 1000).toFixed(1);
    const reading = {
      snapshot: `read as a snapshot in ${seconds} s`,
      paused: `writes were paused for ${seconds} s`,
      ordered: `read in ${seconds} s while others could write`,
    }[done.consistency];
    console.log(`${done.path}: ${done.rows} rows, ${(done.bytes / MB).toFixed(1)} MB; ${reading}`);
  } finally {
    await installation.close();
  }
  if (days !== null && !target.endsWith('.backup'))
    for (const path of await deleteOldArchives(target, days)) console.log(`Deleted ${path}`);
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error));
  process.exit(1);
}
