import { DAY_MS } from '#shared/time.ts';
import type { PaidAd } from './ads.ts';
import { type AdvertiserRow, advertiserEmails as emailRows } from './collections.ts';
import { isDuplicate } from '../database.ts';
import { composeEmail, subjectLine, type EmailPart } from '../outbox/compose-email.ts';
import type { Services } from '../services.ts';
import type { MagicLinks } from './dashboard/magic-links.ts';

/** What a email says, without what all emails to advertisers say. */
export interface AdvertiserEmail {
  heading: string;
  parts: EmailPart[];
}

export interface AdvertiserEmails {
  /**
   * Sends a email, with a link to the dashboard. Does nothing for who has gone.
   * @param cause what it is about, such as 'receipt 123': the same sends no second one
   * @param due when it goes out; left out, now
   */
  send(
    cause: string,
    advertiser: Pick<AdvertiserRow, '_id' | 'email'> | null,
    email: AdvertiserEmail,
    due?: Date,
  ): Promise<void>;
  /** Keeps one back that has not gone out, or was not written yet. May be repeated. @returns whether it never will */
  recall(cause: string, about: Pick<PaidAd, 'advertiser_id'>): Promise<boolean>;
  /** Forgets that links were sent; the others are kept, so that they are never sent again. */
  sweep(): Promise<unknown>;
}

const LINK_RETENTION_MS = 60 * DAY_MS;

/** Letters to advertisers, each caused once. */
export function createAdvertiserEmails(services: Services, links: MagicLinks): AdvertiserEmails {
  const { db, env, log, outbox } = services;
  const rows = emailRows(db);
  const posts = outbox.from('advertiser_emails');
  return {
    sweep: () =>
      rows.deleteMany({ _id: /^link /, at: { $lt: new Date(Date.now() - LINK_RETENTION_MS) } }),
    async recall(cause, { advertiser_id }) {
      // In its place: whoever is about to write it finds that it is there.
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
      const to = advertiser.email;
      const at = new Date();
      const { text, html } = composeEmail({
        heading,
        parts: [
          ...parts,
          { link: await links.linkFor(to), words: 'Open your advertiser dashboard' },
        ],
        footer: [
          `You’re receiving this because this address was used to advertise on ${env.PRODUCT_NAME}. Anyone with the link above can edit your ads, so don’t share it.`,
          ...(env.outbox.footer ? [env.outbox.footer] : []),
        ],
      });
      const message = {
        channel: 'email' as const,
        to,
        subject: subjectLine(heading),
        text,
        html,
        unsubscribe_url: null,
        unsolicited: false,
      };
      try {
        await rows.insertOne({
          _id: cause,
          advertiser_id: advertiser._id,
          at,
          post: { message, at: due ?? at },
        });
      } catch (error) {
        if (!isDuplicate(error)) throw error;
      }
      // It is in the row, and a sweep finds it there too.
      await posts
        .post(cause)
        .catch((err: unknown) => log.warn({ err }, 'an advertiser email will be sent later'));
    },
  };
}
