import { ACCESS_DAYS } from '#shared/access-gate/rules.ts';
import { formatLongDate } from '#shared/dates.ts';
import { dollars } from '#shared/money.ts';
import type { UserRow } from '#shared/server/collections.ts';
import { DAY_MS } from '#shared/time.ts';
import { insertIfAbsent } from '../../platform/database.ts';
import { forEachIsolated } from '../../platform/for-each-isolated.ts';
import { createEmail, type EmailContent } from '../../platform/mail-queue/compose-email.ts';
import type { PersonalDataHandler } from '../../platform/personal-data.ts';
import { deleteDue } from '../../platform/retention.ts';
import type { Services } from '../../platform/services.ts';
import { findUser, NOT_DELETED, users } from '../../platform/session/collections.ts';
import { donations, type DonationRow } from '../payments/collections.ts';
import { accessEmails, accessCodes, accessCodeUses } from './collections.ts';
import { accessEnd } from './uses.ts';

/** The background job that sends receipts of donations. */
export const RECEIPTS_JOB = 'donation receipts';
/** How many days before the end of access we remind its owner. */
const REMINDER_DAYS = [7, 1] as const;
/** As long as the mail queue. */
const RETENTION_DAYS = 60;

/** Sends reminders before access ends, and receipts of donations, each once. */
export function mountAccessEmails(services: Services): void {
  const { db, env, mailQueue, push, registerJob } = services;
  const posts = mailQueue.from('access_emails');
  registerJob('access reminders', () => sendReminders(new Date()));
  registerJob(RECEIPTS_JOB, sendReceipts);
  registerJob('access emails', () =>
    deleteDue(accessEmails(db), { at: { $lt: new Date(Date.now() - RETENTION_DAYS * DAY_MS) } }),
  );

  /** @param cause the same for the same email */
  async function send(
    cause: string,
    user_id: string | null,
    content: Omit<EmailContent, 'reason'>,
    reason: string,
  ): Promise<void> {
    if (!mailQueue.canSend('email')) return;
    const at = new Date();
    const post = { message: createEmail(env, { ...content, reason }), at };
    await insertIfAbsent(accessEmails(db), { _id: cause, user_id, at, post });
    await posts.post(cause);
  }

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
      await send(
        `reminder ${_id} ${ends} ${days}`,
        _id,
        {
          to: email,
          heading,
          parts: [
            `Renew it with a code or a donation to keep getting warnings on your walks. You then have access for another ${ACCESS_DAYS} days.`,
            'Your dogs, friends and messages stay in your account.',
            { link: `${env.PUBLIC_ORIGIN}/home?open=renew-access`, words: 'Renew your access' },
          ],
        },
        `You’re receiving this because you have an account on ${env.PRODUCT_NAME}.`,
      );
    await push.notify({
      topic: 'access',
      user_id: _id,
      subject: ends,
      key: `access ${_id} ${ends} ${days}`,
      tag: 'access',
    });
    await users(db).updateOne({ _id, access_expires_at }, { $set: { access_reminded_days: days } });
  }

  async function sendReceipts(): Promise<void> {
    const due = donations(db).find({
      payment_status: 'completed',
      receipt_at: { $exists: false },
      access_code_granted: { $ne: null },
      created_at: { $gt: new Date(Date.now() - RETENTION_DAYS * DAY_MS) },
      $or: [{ user_id: { $ne: null } }, { email: { $ne: null } }],
    });
    await forEachIsolated(due, sendReceipt);
  }

  async function sendReceipt(donation: DonationRow): Promise<void> {
    const { _id, user_id, amount_cents, access_code_granted } = donation;
    const user = user_id === null ? null : await findUser(db, user_id);
    const to = donation.email ?? (user?.email_verified ? user.email : null);
    if (to && access_code_granted) {
      const code = await accessCodes(db).findOne({ code: access_code_granted });
      const use = code && (await accessCodeUses(db).findOne({ access_code_id: code._id }));
      await send(
        `receipt ${_id}`,
        user_id,
        {
          to,
          heading: `Thank you for your donation to ${env.PRODUCT_NAME}`,
          parts: [
            `We received ${dollars(amount_cents)} on ${formatLongDate(donation.submitted_at ?? donation.updated_at)}. Receipt number: ${_id}.`,
            'Your access code:',
            { code: access_code_granted },
            use
              ? `You used it, and have access until ${formatLongDate(user?.access_expires_at ?? accessEnd(use.used_at))}.`
              : `It gives access for ${ACCESS_DAYS} days from when you use it.`,
          ],
        },
        `You’re receiving this because you donated to ${env.PRODUCT_NAME}. It won’t renew.`,
      );
    }
    await donations(db).updateOne({ _id }, { $set: { receipt_at: new Date() } });
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
