import { DAY_MS } from '#shared/time.ts';
import { addressId } from '../../outbox/messages.ts';
import { constantTimeEquals, sign, secretsOf } from '../../hmac.ts';
import type { Services } from '../../services.ts';
import { type DashboardRow, advertiserDashboards } from '../collections.ts';

const LASTS_MS = 365 * DAY_MS;
/** Links of two emails that go at once are both good; those of an account that was deleted are not, whoever has the address now. */
const AT_ONCE_MS = 60_000;
/** As links end: whose, when, and the seal. Nothing else, as it goes into a cookie as it came. */
const TOKEN = /^([\w-]+)\.([\da-z]+)\.([\w-]+)$/;

/**
 * The links by which advertisers come to their dashboard. Whoever has one read the mailbox that it was sent to. Their
 * secret stands behind the `#`, where neither servers nor other sites see it.
 */
export interface MagicLinks {
  /** A new link for whoever reads this mailbox. */
  linkFor(email: string): Promise<string>;
  /** @returns whose link it is; null when it is none of ours, or over */
  read(token: string): Promise<DashboardRow | null>;
  /** Ends all links of an email. */
  revoke(id: string): Promise<void>;
}

/** Links are encryptedEnvelope with the servers' secret, and not kept: a row notes since when the links of an email are good. */
export function createMagicLinks({ env, db }: Pick<Services, 'env' | 'db'>): MagicLinks {
  const seal = (secret: string, head: string) => sign(secret, `advertiser dashboard ${head}`);
  const secrets = secretsOf(env);

  return {
    async linkFor(email) {
      const id = addressId('email', email);
      const head = `${id}.${Date.now().toString(36)}`;
      const fresh = { $setOnInsert: { email, since: new Date(Date.now() - AT_ONCE_MS) } };
      await advertiserDashboards(db).updateOne({ _id: id }, fresh, { upsert: true });
      return `${env.PUBLIC_ORIGIN}/advertiser#${head}.${seal(env.SYNC_SECRET, head)}`;
    },
    async read(token) {
      const [, id = '', time = '', given = ''] = TOKEN.exec(token) ?? [];
      const isOurs = secrets.some((secret) =>
        constantTimeEquals(given, seal(secret, `${id}.${time}`)),
      );
      if (!isOurs) return null;
      const issued = new Date(parseInt(time, 36));
      if (Date.now() - issued.getTime() > LASTS_MS) return null;
      return advertiserDashboards(db).findOne({ _id: id, since: { $lt: issued } });
    },
    async revoke(id) {
      await advertiserDashboards(db).updateOne({ _id: id }, { $set: { since: new Date() } });
    },
  };
}
