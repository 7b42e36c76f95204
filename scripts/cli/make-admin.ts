import { parseArgs } from 'node:util';
import type { Db } from 'mongodb';
import { newId } from '#shared/ids.ts';
import type { SignalRow } from '#shared/server/collections.ts';
import { auditLog } from '../../api/admin/collections.ts';
import { NOT_DELETED, users } from '../../api/session/collections.ts';
import { withDatabase } from './open-database.ts';

const HELP = `npm run admin -- make-admin <email> [--remove]

Makes somebody an admin who has signed in with this address, at once, whatever ADMIN_EMAILS says.

--remove  takes it away; those in ADMIN_EMAILS are admins again at the next start`;

/** Stands in the audit log in place of an admin. */
const OPERATOR = 'operator';

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
  for (const user of found) {
    await auditLog(db).insertOne({
      _id: newId(),
      at: new Date(),
      admin_user_id: OPERATOR,
      act: isAdmin ? 'user.make-admin' : 'user.remove-admin',
      subject_kind: 'user',
      subject_id: user._id,
      before: { is_admin: user.is_admin },
      after: { is_admin: isAdmin },
      reason: null,
      voids: null,
    });
    await users(db).updateOne(
      { _id: user._id, ...NOT_DELETED },
      isAdmin
        ? { $set: { is_admin: true, is_made_admin: true } }
        : { $set: { is_admin: false }, $unset: { is_made_admin: true } },
    );
    // Each server caches the user until a signal arrives.
    const signal: SignalRow = { topic: 'user', user_id: user._id, at: new Date() };
    await db.collection<SignalRow>('signals').insertOne(signal);
    console.log(`${user.email} is ${isAdmin ? 'an admin now' : 'no admin any more'}.`);
  }
}
