import { DAY_MS, MINUTE_MS } from '#shared/time.ts';
import { constantTimeEquals, sign, secretsOf } from '../../../platform/hmac.ts';
import { addressId } from '../../../platform/mail-queue/messages.ts';
import type { Services } from '../../../platform/services.ts';
import { type DashboardRow, advertiserDashboards } from '../collections.ts';

const VALID_MS = 365 * DAY_MS;
/** Links of two emails sent at the same time are both valid; links from before an account was deleted are not. */
const OVERLAP_MS = MINUTE_MS;
/** The end of a link: email hash, time, signature. Matches nothing else, because it becomes a cookie value. */
const TOKEN = /^([\w-]+)\.([\da-z]+)\.([\w-]+)$/;

/** Emailed links to the dashboard. The token is after the `#`, so that it is not sent to servers or other sites. */
export interface MagicLinks {
  linkFor(email: string): Promise<string>;
  /** @returns the dashboard that a token opens; null for an invalid or expired token */
  read(token: string): Promise<DashboardRow | null>;
  /** Revokes all links of an email. @param id its `addressId` */
  revoke(id: string): Promise<void>;
}

/** Links are signed with the servers' secret and not stored; a row stores since when the links of an email are valid. */
export function createMagicLinks({ env, db }: Pick<Services, 'env' | 'db'>): MagicLinks {
  const signatureOf = (secret: string, head: string) =>
    sign(secret, `advertiser dashboard ${head}`);
  const secrets = secretsOf(env);

  return {
    async linkFor(email) {
      const id = addressId('email', email);
      const head = `${id}.${Date.now().toString(36)}`;
      const created = { $setOnInsert: { email, since: new Date(Date.now() - OVERLAP_MS) } };
      await advertiserDashboards(db).updateOne({ _id: id }, created, { upsert: true });
      return `${env.PUBLIC_ORIGIN}/advertiser#${head}.${signatureOf(env.SYNC_SECRET, head)}`;
    },
    async read(token) {
      const [, id = '', time = '', given = ''] = TOKEN.exec(token) ?? [];
      const isOurs = secrets.some((secret) =>
        constantTimeEquals(given, signatureOf(secret, `${id}.${time}`)),
      );
      if (!isOurs) return null;
      const issued = new Date(parseInt(time, 36));
      if (Date.now() - issued.getTime() > VALID_MS) return null;
      return advertiserDashboards(db).findOne({ _id: id, since: { $lt: issued } });
    },
    async revoke(id) {
      await advertiserDashboards(db).updateOne({ _id: id }, { $set: { since: new Date() } });
    },
  };
}
