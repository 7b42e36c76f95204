import { parseArgs } from 'node:util';
import { openLog } from '#shared/server/log.ts';
import { migrate } from '#shared/server/migrations/migrate.ts';
import { MIGRATIONS } from '#shared/server/migrations/migrations.ts';
import { withDatabase } from './open-database.ts';

const HELP = `npm run admin -- migrate

Changes the database to this version, as each start of the API does, and says when that is done. Nodes of the previous version may be
running.`;

const { values } = parseArgs({ options: { help: { type: 'boolean', default: false } } });
if (values.help) console.log(HELP);
else
  await withDatabase(async (db) => {
    const logging = openLog('migrate', 'info');
    try {
      await migrate(db, logging.log);
    } finally {
      logging.close();
    }
    console.log(`The database has all ${MIGRATIONS.length} migrations of this version.`);
  });
