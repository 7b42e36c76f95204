import { ACCESS_DAYS } from '#shared/access-gate/rules.ts';
import { formatLongDate } from '#shared/dates.ts';
import { dollars } from '#shared/money.ts';
import { DAY_MS } from '#shared/time.ts';
import { forEachIsolated } from '../../platform/for-each-isolated.ts';
import type { Services } from '../../platform/services.ts';
import { findUser } from '../../platform/session/collections.ts';
import { accessCodes, accessCodeUses } from '../access-gate/collections.ts';
import { RETENTION_DAYS, sendAccessEmail } from '../access-gate/emails.ts';
import { accessEnd } from '../access-gate/uses.ts';
import { type DonationRow, donations } from './collections.ts';

/** The background job that sends receipts of donations. */
export const RECEIPTS_JOB = 'donation receipts';

/** Sends receipts of donations, each once. */
export function mountReceipts(services: Services): void {
  const { db, env, registerJob } = services;
  registerJob(RECEIPTS_JOB, sendReceipts);

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
      await sendAccessEmail(services, {
        cause: `receipt ${_id}`,
        user_id,
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
        reason: `You’re receiving this because you donated to ${env.PRODUCT_NAME}. It won’t renew.`,
      });
    }
    await donations(db).updateOne({ _id }, { $set: { receipt_at: new Date() } });
  }
}
