import { DAY_MS } from '#shared/time.ts';
import { insertIfAbsent } from '../../platform/database.ts';
import { createEmail, type EmailContent } from '../../platform/mail-queue/compose-email.ts';
import type { Services } from '../../platform/services.ts';
import type { PaidAd } from './ads.ts';
import { type AdvertiserRow, advertiserEmails } from './collections.ts';
import type { MagicLinks } from './dashboard/magic-links.ts';

/** The content of an email, without what all emails to advertisers contain. */
export type AdvertiserEmail = Pick<EmailContent, 'heading' | 'parts'>;

export interface AdvertiserEmails {
  /**
   * Sends an email with a link to the dashboard, unless the advertiser's address was erased.
   * @param cause such as 'receipt 123': there is one email for each cause
   * @param due when it is sent; now by default
   */
  send(
    cause: string,
    advertiser: Pick<AdvertiserRow, '_id' | 'email'> | null,
    content: AdvertiserEmail,
    due?: Date,
  ): Promise<void>;
  /** Withdraws an email that is not sent, or not even written yet. May be repeated. @returns whether it will never be sent */
  recall(cause: string, about: Pick<PaidAd, 'advertiser_id'>): Promise<boolean>;
  /** Deletes old rows of dashboard links. Those of other emails stay, so that they are not sent again. */
  runJob(): Promise<unknown>;
}

const LINK_RETENTION_MS = 60 * DAY_MS;

export function createAdvertiserEmails(services: Services, links: MagicLinks): AdvertiserEmails {
  const { env, mailQueue } = services;
  const rows = advertiserEmails(services.db);
  const posts = mailQueue.from('advertiser_emails');
  return {
    runJob: () =>
      rows.deleteMany({ _id: /^link /, at: { $lt: new Date(Date.now() - LINK_RETENTION_MS) } }),
    async recall(cause, { advertiser_id }) {
      // Takes the place of the email, so that a process that is about to write it finds a row.
      const $setOnInsert = { advertiser_id, at: new Date(), is_unwritten: true as const };
      const row = await rows.findOneAndUpdate(
        { _id: cause },
        { $setOnInsert },
        { upsert: true, returnDocument: 'after' },
      );
      return row?.is_unwritten ?? posts.recall(cause);
    },
    async send(cause, advertiser, { heading, parts }, due) {
      if (!advertiser?.email) return;
      const link = await links.linkFor(advertiser.email);
      const message = createEmail(env, {
        to: advertiser.email,
        heading,
        parts: [...parts, { link, words: 'Open your advertiser dashboard' }],
        reason: `You’re receiving this because this address was used to advertise on ${env.PRODUCT_NAME}. Anyone with the link above can edit your ads, so don’t share it.`,
      });
      const at = new Date();
      const post = { message, at: due ?? at };
      await insertIfAbsent(rows, { _id: cause, advertiser_id: advertiser._id, at, post });
      await posts.post(cause);
    },
  };
}
