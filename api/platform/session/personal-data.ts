import { SESSION_MAX_DAYS } from '#shared/session/rules.ts';
import { DAY_MS } from '#shared/time.ts';
import type { PersonalDataHandler } from '../personal-data.ts';
import type { Services } from '../services.ts';
import { users, sessions as sessionRows, sandboxCodes } from './collections.ts';

/**
 * How long a returning device learns that its account was deleted: as long as it can have the cookie.
 */
const REMEMBERED_MS = SESSION_MAX_DAYS * DAY_MS;

/** The user’s identity and sessions. */
export const sessionData = ({ db, signals, documents, log }: Services): PersonalDataHandler => ({
  name: 'user',
  async export({ _id, given_name, name, picture, created_at }) {
    // Includes an unverified address: it is what the provider reported for this user.
    const user = await users(db).findOne({ _id }, { projection: { email: 1 } });
    const sessions = await sessionRows(db).find({ user_id: _id, revoked_at: null }).toArray();
    return {
      id: _id,
      email: user?.email ?? '',
      given_name,
      name,
      picture,
      created_at,
      sessions: sessions.map(({ device, created_at: since, last_used_at }) => ({
        device,
        created_at: since,
        last_used_at,
      })),
    };
  },
  async remove({ _id, email }) {
    const now = new Date();
    // Only the hash of a useless cookie remains, without its user.
    await sessionRows(db).updateMany(
      { user_id: _id },
      {
        $set: {
          user_id: '',
          account_deleted: true,
          revoked_at: now,
          expires_at: new Date(now.getTime() + REMEMBERED_MS),
        },
      },
    );
    await signals.send('session', _id);
    documents
      .disconnect({ user_id: _id })
      .catch((err: unknown) => log.warn({ err }, 'could not notify the sync server of a deletion'));
    await sandboxCodes(db).deleteMany({ email, expires_at: { $lt: now } });
  },
});
