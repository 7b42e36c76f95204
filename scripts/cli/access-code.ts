import { parseArgs } from 'node:util';
import { DESCRIPTION_MAX } from '#shared/access-gate/rules.ts';
import { newId } from '#shared/ids.ts';
import { insertWithNewCode, unusedCode } from '../../api/features/access-gate/new-code.ts';
import { withDatabase } from './open-database.ts';

const HELP = `npm run admin -- access-code [--uses 1] [--description TEXT]

Creates an access code and prints it. It ends with its last use; without --uses, never.`;

const USES_MAX = 1_000_000;

const { values } = parseArgs({
  options: {
    uses: { type: 'string' },
    description: { type: 'string' },
    help: { type: 'boolean', default: false },
  },
});
const { description = null } = values;
const uses = values.uses === undefined ? null : Number(values.uses);
if (values.help) console.log(HELP);
else if (uses !== null && !(Number.isInteger(uses) && uses >= 1 && uses <= USES_MAX))
  fail(`--uses must be a whole number from 1 to ${USES_MAX}`);
else if (description !== null && description.length > DESCRIPTION_MAX)
  fail(`--description has at most ${DESCRIPTION_MAX} characters`);
else
  await withDatabase(async (db) => {
    const _id = newId();
    const fields = { _id, description, max_uses: uses, expires_at: null, source: 'admin' as const };
    const row = await insertWithNewCode(db, (code) => unusedCode({ ...fields, code }));
    console.log(row.code);
  });

function fail(message: string): void {
  console.error(message);
  process.exitCode = 1;
}
