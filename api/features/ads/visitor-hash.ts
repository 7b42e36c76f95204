import { createHmac } from 'node:crypto';
import type { Context } from 'koa';
import type { Db } from 'mongodb';
import { addressOf, networkOf } from '../../platform/http/request-origin.ts';
import { randomToken } from '../../platform/random-token.ts';
import type { Caller } from '../../platform/session-cache.ts';
import { adDays } from './collections.ts';

const dayOf = (time: Date): string => time.toISOString().slice(0, 10);

/**
 * Identifies visitors for one day: a hash with a salt that all servers share and that is deleted after the day, so that
 * visitors cannot be identified or followed across days.
 */
export function visitors(db: Db) {
  let today: { day: string; salt: string } | null = null;

  async function saltOf(day: string): Promise<string> {
    if (today?.day === day) return today.salt;
    const row = await adDays(db).findOneAndUpdate(
      { _id: day },
      { $setOnInsert: { salt: randomToken(32) } },
      { upsert: true, returnDocument: 'after' },
    );
    if (!row) throw new Error('the upsert of the daily salt returned no row');
    today = { day, salt: row.salt };
    return row.salt;
  }

  return {
    /** The same for a user, or for a visitor's network and browser, until midnight UTC. */
    async idOf(ctx: Context, visitor: Caller | null, now: Date): Promise<string> {
      const who = visitor
        ? ['user', visitor.user._id]
        : ['visitor', networkOf(addressOf(ctx))[0], ctx.get('user-agent')];
      const hash = createHmac('sha256', await saltOf(dayOf(now))).update(JSON.stringify(who));
      return hash.digest('base64url').slice(0, 22);
    },
    /** Deletes the salts of past days. */
    runJob: () => adDays(db).deleteMany({ _id: { $lt: dayOf(new Date()) } }),
  };
}
