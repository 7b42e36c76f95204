import { ACCESS_DAYS } from '#shared/access-gate/rules.ts';
import { formatLongDate } from '#shared/dates.ts';
import type { UserRow } from '#shared/server/collections.ts';
import { DAY_MS } from '#shared/time.ts';
import { insertIfAbsent } from '../../platform/database.ts';
import { forEachIsolated } from '../../platform/for-each-isolated.ts';
import { createEmail, type EmailContent } from '../../platform/mail-queue/compose-email.ts';
import type { PersonalDataHandler } from '../../platform/personal-data.ts';
import { deleteDue } from '../../platform/retention.ts';
import type { Services } from '../../platform/services.ts';
import { NOT_DELETED, users } from '../../platform/session/collections.ts';
import { accessEmails } from './collections.ts';

/** How many days before the end of access we remind its owner. */
const REMINDER_DAYS = [7, 1] as const;
/** As long as the mail queue. */
export const RETENTION_DAYS = 60;

/**
 * Sends an email about access, once.
 * @param cause the same for the same email
 */
export async function sendAccessEmail(
  { db, env, mailQueue }: Services,
  { cause, user_id, ...content }: EmailContent & { cause: string; user_id: string | null },
): Promise<void> {
  if (!mailQueue.canSend('email')) return;
  const at = new Date();
  const post = { message: createEmail(env, content), at };
  await insertIfAbsent(accessEmails(db), { _id: cause, user_id, at, post });
  await mailQueue.from('access_emails').post(cause);
}

/** Sends reminders before access ends, each once. */
export function mountAccessEmails(services: Services): void {
  const { db, env, mailQueue, push, registerJob } = services;
  // Queues what an earlier process left.
  mailQueue.from('access_emails');
  registerJob('access reminders', () => sendReminders(new Date()));
  registerJob('access emails', () =>
    deleteDue(accessEmails(db), { at: { $lt: new Date(Date.now() - RETENTION_DAYS * DAY_MS) } }),
  );

  async function sendReminders(now: Date): Promise<void> {
    for (const days of REMINDER_DAYS) {
      const due = users(db).find({
        access_expires_at: { $gt: now, $lte: new Date(now.getTime() + days * DAY_MS) },
        // A reminder of fewer days replaces one of more.
        access_reminded_days: { $nin: REMINDER_DAYS.filter((sent) => sent <= days) },
        is_admin: false,
        ...NOT_DELETED,
      });
      await forEachIsolated(due, (user) => remind(user, days));
    }
  }

  async function remind(user: UserRow, days: number): Promise<void> {
    const { _id, email, access_expires_at } = user;
    if (!access_expires_at) return;
    const ends = access_expires_at.toISOString();
    const isSoonest = access_expires_at.getTime() - Date.now() <= DAY_MS;
    // Someone whose last day has begun gets that reminder only.
    if (days > 1 && isSoonest) return;
    const heading = `Your access to ${env.PRODUCT_NAME} ends on ${formatLongDate(access_expires_at)}`;
    if (user.email_verified)
      await sendAccessEmail(services, {
        cause: `reminder ${_id} ${ends} ${days}`,
        user_id: _id,
        to: email,
        heading,
        parts: [
          `Renew it with a code or a donation to keep getting warnings on your walks. You then have access for another ${ACCESS_DAYS} days.`,
          'Your dogs, friends and messages stay in your account.',
          { link: `${env.PUBLIC_ORIGIN}/home?open=renew-access`, words: 'Renew your access' },
        ],
        reason: `You’re receiving this because you have an account on ${env.PRODUCT_NAME}.`,
      });
    await push.notify({
      topic: 'access',
      user_id: _id,
      subject: ends,
      key: `access ${_id} ${ends} ${days}`,
      tag: 'access',
    });
    await users(db).updateOne({ _id, access_expires_at }, { $set: { access_reminded_days: days } });
  }
}

/** Reminders and receipts, which are deleted with the account. */
export const accessEmailData = ({ db, mailQueue }: Services): PersonalDataHandler => ({
  name: 'access-emails',
  async export({ _id }) {
    const rows = await accessEmails(db).find({ user_id: _id }).toArray();
    return rows.map(({ _id: cause, at }) => ({ about: cause.split(' ', 1)[0], at }));
  },
  async remove({ _id }) {
    const ids = await accessEmails(db).distinct('_id', { user_id: _id });
    await mailQueue.from('access_emails').withdraw(ids);
    await accessEmails(db).deleteMany({ user_id: _id });
  },
});
