import { isDuplicate } from '../database.ts';
import { composeEmail, nameInEmail, subjectLine, type EmailPart } from '../outbox/compose-email.ts';
import { addressId } from '../outbox/messages.ts';
import { unsubscribeUrl } from '../outbox/unsubscribe-token.ts';
import type { Services } from '../services.ts';
import { type CharityRow, charityEmails as emailRows } from './collections.ts';

export type CharityEmails = ReturnType<typeof createCharityEmails>;

const DAY_SECONDS = 24 * 60 * 60;

/** Letters to charities that applied. Anybody may have entered the address: whoever said stop gets none. */
export function createCharityEmails(services: Services) {
  const { db, env, log, outbox, limiter } = services;
  const rows = emailRows(db);
  const posts = outbox.from('charity_emails');
  const limitRecipient = limiter({
    name: 'charity-emails',
    points: 3,
    seconds: 30 * DAY_SECONDS,
    shared: true,
  });
  const product = env.PRODUCT_NAME;

  /** @param cause the same for one charity sends no second one */
  async function send(
    cause: 'received' | 'approved',
    { _id: charity_id, contact_email: to }: CharityRow,
    { heading, parts }: { heading: string; parts: EmailPart[] },
  ): Promise<void> {
    if (!to) return;
    const _id = `${cause} ${charity_id}`;
    const stop = unsubscribeUrl(env, to);
    const { text, html } = composeEmail({
      heading,
      parts,
      footer: [
        `You’re receiving this because this address was entered for a charity on ${product}. It isn’t on a mailing list.`,
        { link: stop, words: 'Unsubscribe' },
        ...(env.outbox.footer ? [env.outbox.footer] : []),
      ],
    });
    const message = {
      channel: 'email' as const,
      to,
      subject: subjectLine(heading),
      text,
      html,
      unsubscribe_url: stop,
      unsolicited: true,
    };
    const known = await rows.findOne({ _id });
    if (!known) {
      const post = (await limitRecipient.admits(addressId('email', to)))
        ? { post: { message, at: new Date() } }
        : {};
      try {
        await rows.insertOne({ _id, charity_id, ...post });
      } catch (error) {
        if (!isDuplicate(error)) throw error;
      }
    }
    // It is in the row, and a sweep finds it there too.
    await posts
      .post(_id)
      .catch((err: unknown) => log.warn({ err }, 'a charity email will be sent later'));
  }

  return {
    /** That an application has come in. */
    received: (charity: CharityRow) =>
      send('received', charity, {
        heading: `${product} received your application`,
        parts: [
          `Thanks for applying with ${nameInEmail(charity.charity_name)}.`,
          'We’ll review it within 2-3 business days and email you when it’s approved.',
        ],
      }),
    /** That an application was approved. */
    approved: (charity: CharityRow) =>
      send('approved', charity, {
        heading: `Your charity is on ${product}`,
        parts: [
          `${nameInEmail(charity.charity_name)} is verified. ${product} members can now see it and donate.`,
          { link: `${env.PUBLIC_ORIGIN}/community`, words: `View it on ${product}` },
        ],
      }),
    /** Takes back what was not sent yet, and forgets the rest. */
    async forget(charityId: string): Promise<void> {
      const ids = await rows.distinct('_id', { charity_id: charityId });
      await posts.withdraw(ids);
      await rows.deleteMany({ charity_id: charityId });
    },
  };
}
