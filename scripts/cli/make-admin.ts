import { parseArgs } from 'node:util';
import type { Db } from 'mongodb';
import type { SignalRow } from '#shared/server/collections.ts';
import { openAudit } from '../../api/platform/admin/audit.ts';
import { auditLog } from '../../api/platform/admin/collections.ts';
import { NOT_DELETED, users } from '../../api/platform/session/collections.ts';
import { withDatabase } from './open-database.ts';

const HELP = `npm run admin -- make-admin <email> [--remove]

Makes somebody an admin who has signed in with this address, at once, whatever ADMIN_EMAILS says.

--remove  takes it away; those in ADMIN_EMAILS are admins again at the next start`;

/** Stands in the audit log in place of an admin. */
const OPERATOR = { user: { _id: 'operator' } };

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    remove: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});
const [address] = positionals;
if (values.help || address === undefined) {
  console.log(HELP);
  process.exitCode = values.help ? 0 : 1;
} else await withDatabase((db) => setAdmin(db, address, !values.remove));

/** @throws when nobody has signed in with the address */
async function setAdmin(db: Db, email: string, isAdmin: boolean): Promise<void> {
  // Only a verified address shows whose account it is.
  const found = await users(db)
    .find({ email: { $in: [email, email.toLowerCase()] }, email_verified: true, ...NOT_DELETED })
    .toArray();
  if (found.length === 0)
    throw new Error(`Nobody has signed in with ${email} yet, or the address isn't verified.`);
  const audit = openAudit(auditLog(db));
  const set = isAdmin
    ? { $set: { is_admin: true, is_made_admin: true as const } }
    : { $set: { is_admin: false }, $unset: { is_made_admin: true as const } };
  for (const { _id, email: address, is_admin } of found) {
    const act = {
      caller: OPERATOR,
      act: isAdmin ? 'user.make-admin' : 'user.remove-admin',
      subject_id: _id,
      before: { is_admin },
      after: { is_admin: isAdmin },
    } as const;
    await audit(act, () => users(db).updateOne({ _id, ...NOT_DELETED }, set));
    // Each server caches the user until a signal arrives.
    const signal: SignalRow = { topic: 'user', user_id: _id, at: new Date() };
    await db.collection<SignalRow>('signals').insertOne(signal);
    console.log(`${address} is ${isAdmin ? 'an admin now' : 'no admin any more'}.`);
  }
}
