import { isPauseProcess } from '../backup/read-consistently.ts';

const HELP = `npm run admin -- <command> [--help]

status       the state of all processes
access-code  creates an access code and prints it
make-admin   makes somebody an admin, or takes it away
backup       writes an encrypted backup
restore      restores a backup
migrate      changes the database to this version, as each start of the API does
import-places  reads places from an OpenStreetMap extract

In the image: docker compose run --rm admin <command>`;

/** Each module reads the arguments after its name, and runs. */
const COMMANDS: Record<string, () => Promise<unknown>> = {
  status: () => import('./status.ts'),
  'access-code': () => import('./access-code.ts'),
  'make-admin': () => import('./make-admin.ts'),
  backup: () => import('./backup.ts'),
  restore: () => import('./restore.ts'),
  migrate: () => import('./migrate.ts'),
  'import-places': () => import('./import-places.ts'),
};

// A backup of a single server starts this program a second time.
if (await isPauseProcess()) process.exit(0);
const [name = ''] = process.argv.splice(2, 1);
const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
if (command) await command();
else {
  console.log(HELP);
  process.exitCode = name === '--help' ? 0 : 1;
}
