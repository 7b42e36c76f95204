import { DAY_SECONDS } from '#shared/time.ts';
import { insertIfAbsent } from '../../platform/database.ts';
import {
  createEmail,
  nameInEmail,
  type EmailContent,
} from '../../platform/mail-queue/compose-email.ts';
import { addressId } from '../../platform/mail-queue/messages.ts';
import type { Services } from '../../platform/services.ts';
import { applicationLink } from './application-links.ts';
import { type CharityRow, type Rejection, charityEmails } from './collections.ts';

export type CharityEmails = ReturnType<typeof createCharityEmails>;

/**
 * Emails to charities that applied. Anyone may have entered the address, so the emails count as unsolicited, and only so many
 * confirm an application. Those about an administrator's decision are sent in any case.
 */
export function createCharityEmails({ db, env, mailQueue, limiter }: Services) {
  const rows = charityEmails(db);
  const posts = mailQueue.from('charity_emails');
  const limitRecipient = limiter({
    name: 'charity-emails',
    points: 3,
    seconds: 30 * DAY_SECONDS,
    shared: true,
  });
  const product = env.PRODUCT_NAME;

  /** @param cause there is one email for each cause and charity */
  async function send(
    cause: 'received' | 'approved' | `rejected ${number}`,
    { _id: charity_id, contact_email: to }: CharityRow,
    content: Pick<EmailContent, 'heading' | 'parts'>,
  ): Promise<void> {
    if (!to) return;
    const _id = `${cause} ${charity_id}`;
    if (!(await rows.findOne({ _id }))) {
      const message = createEmail(env, {
        to,
        ...content,
        reason: `You’re receiving this because this address was entered for a charity on ${product}. It isn’t on a mailing list.`,
        unsolicited: true,
      });
      const isAdmitted =
        cause !== 'received' || (await limitRecipient.admits(addressId('email', to)));
      const post = isAdmitted ? { post: { message, at: new Date() } } : {};
      await insertIfAbsent(rows, { _id, charity_id, ...post });
    }
    await posts.post(_id);
  }

  return {
    /** Confirms that an application was received. */
    received: (charity: CharityRow) =>
      send('received', charity, {
        heading: `${product} received your application`,
        parts: [
          'Thanks for applying. This is the name that you gave:',
          { quote: nameInEmail(charity.charity_name) },
          'We’ll review it within 2-3 business days and email you when it’s approved.',
          { link: applicationLink(env, charity), words: 'See and change your application' },
        ],
      }),
    /** Says that an application was approved. */
    approved: (charity: CharityRow) =>
      send('approved', charity, {
        heading: `Your charity is on ${product}`,
        parts: [
          'We verified this charity:',
          { quote: nameInEmail(charity.charity_name) },
          `${product} members can now see it and donate.`,
          'This is its page, for everybody you share it with:',
          { link: `${env.PUBLIC_ORIGIN}/charities/${charity._id}`, words: 'See your page' },
          'Tell your story, set a goal and post updates:',
          { link: applicationLink(env, charity), words: 'Change your page' },
        ],
      }),
    /** Says why an application was rejected, once for each rejection. */
    rejected: (charity: CharityRow, { reason, at }: Rejection) =>
      send(`rejected ${at.getTime()}`, charity, {
        heading: 'We couldn’t verify your charity',
        parts: [
          'We looked at your application:',
          { quote: nameInEmail(charity.charity_name) },
          'We can’t show it yet, because:',
          { quote: reason },
          'You can correct it, and we’ll look at it again.',
          { link: applicationLink(env, charity), words: 'Correct your application' },
        ],
      }),
    /** Withdraws unsent emails and deletes all rows of a charity. */
    async forget(charityId: string): Promise<void> {
      const ids = await rows.distinct('_id', { charity_id: charityId });
      await posts.withdraw(ids);
      await rows.deleteMany({ charity_id: charityId });
    },
  };
}
