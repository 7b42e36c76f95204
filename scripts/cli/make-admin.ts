import { parseArgs } from 'node:util';
import type { Db } from 'mongodb';
import { plainAddress } from '#shared/normalization/email-address.ts';
import type { SignalRow, UserRow } from '#shared/server/collections.ts';
import { openAudit } from '../../api/platform/admin/audit.ts';
import { auditLog } from '../../api/platform/admin/collections.ts';
import { NOT_DELETED, users } from '../../api/platform/session/collections.ts';
import { withDatabase } from './open-database.ts';

const HELP = `npm run admin -- make-admin <email> [--issuer <URL>] [--remove]

Makes somebody an admin who has signed in with this address, at once, whatever ADMIN_EMAILS says.

--issuer  the sign-in provider, if several know the address
--remove  takes it away; those in ADMIN_EMAILS are admins again at the next start`;

/** Stands in the audit log in place of an admin. */
const OPERATOR = { user: { _id: 'operator' } };

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    issuer: { type: 'string' },
    remove: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});
const [address] = positionals;
if (values.help || address === undefined) {
  console.log(HELP);
  process.exitCode = values.help ? 0 : 1;
} else await withDatabase((db) => setAdmin(db, address, values.issuer, !values.remove));

function issuerOf({ identity }: Pick<UserRow, 'identity'>): string {
  return identity.split(' ')[0] ?? '';
}

/** @throws when nobody has signed in with the address, or several accounts have it */
async function setAdmin(
  db: Db,
  address: string,
  issuer: string | undefined,
  isAdmin: boolean,
): Promise<void> {
  // As ADMIN_EMAILS is read.
  const email = plainAddress(address);
  // Only a verified address shows whose account it is.
  const all = await users(db)
    .find({ email, email_verified: true, ...NOT_DELETED })
    .toArray();
  const found = all.filter((user) => issuer === undefined || issuerOf(user) === issuer);
  if (found.length === 0)
    throw new Error(`Nobody has signed in with ${email} yet, or the address isn't verified.`);
  if (found.length > 1)
    throw new Error(
      `${found.length} accounts have the address ${email}. Choose one with --issuer: ${found.map(issuerOf).join(', ')}`,
    );
  const audit = openAudit(auditLog(db));
  const set = isAdmin
    ? { $set: { is_admin: true, is_made_admin: true as const } }
    : { $set: { is_admin: false }, $unset: { is_made_admin: true as const } };
  for (const { _id, is_admin } of found) {
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
    console.log(`${email} is ${isAdmin ? 'an admin now' : 'no admin any more'}.`);
  }
}
