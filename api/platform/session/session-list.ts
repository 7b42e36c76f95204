import { HttpError } from '#shared/http/http-error.ts';
import type { SessionRow } from '#shared/server/collections.ts';
import { SESSION_COOKIE } from '#shared/session/cookies.ts';
import { endOtherSessions, endSession, listSessions } from '#shared/session/devices-contract.ts';
import { LAST_USE_HOURS, liveSessions } from '#shared/session/rules.ts';
import { HOUR_MS } from '#shared/time.ts';
import { endSessions } from '../end-sessions.ts';
import { hashText } from '../hash.ts';
import { clearCookie } from '../http/cookies.ts';
import { serve } from '../http/mount-endpoint.ts';
import type { Api } from '../services.ts';
import type { Caller } from '../session-cache.ts';
import { sessions } from './collections.ts';

/** Returns a session’s public id, which reveals neither its secret nor the stored hash. */
const publicId = ({ _id }: Pick<SessionRow, '_id'>): string => hashText(`session id ${_id}`);

const roundedDown = (at: Date): string => {
  const step = LAST_USE_HOURS * HOUR_MS;
  return new Date(Math.floor(at.getTime() / step) * step).toISOString();
};

/** Lists and ends a user’s sessions. */
export function mountSessionList(api: Api): void {
  const { services } = api;

  const liveOf = ({ user }: Caller): Promise<SessionRow[]> =>
    sessions(services.db)
      .find({ user_id: user._id, ...liveSessions(user, new Date()) })
      .sort({ last_used_at: -1, created_at: -1 })
      .toArray();

  serve(api, listSessions, async ({ caller }) => {
    const isCurrent = ({ _id }: SessionRow) => _id === caller.session._id;
    const rows = (await liveOf(caller)).toSorted(
      (a, b) => Number(isCurrent(b)) - Number(isCurrent(a)),
    );
    return {
      sessions: rows.map((row) => ({
        id: publicId(row),
        device: row.device,
        created_at: row.created_at.toISOString(),
        last_used_at: roundedDown(row.last_used_at),
        is_current: isCurrent(row),
      })),
    };
  });

  serve(api, endSession, async ({ params: { id }, caller, ctx }) => {
    const row = (await liveOf(caller)).find((each) => publicId(each) === id);
    if (!row) throw new HttpError(404, 'This device is already signed out');
    await endSessions(services, caller.user._id, { _id: row._id });
    if (row._id === caller.session._id) clearCookie(ctx, SESSION_COOKIE);
    return {};
  });

  serve(api, endOtherSessions, async ({ caller: { user, session } }) => ({
    ended: await endSessions(services, user._id, { _id: { $ne: session._id } }),
  }));
}
