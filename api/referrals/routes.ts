import { accessCodes } from '../access-gate/collections.ts';
import {
  createReferral,
  getReferralStats,
  RECENT_REFERRALS,
  trackAccess,
  type Referral,
  type ReferralFields,
  type ReferralMethod,
} from '#shared/referrals/contract.ts';
import type { UserRow } from '#shared/server/collections.ts';
import { isDuplicate } from '../database.ts';
import { refuseUnfit } from '../moderation/content/message-scanner.ts';
import { addressOf, networkOf, type Network } from '../http/request-origin.ts';
import { addressId, deliveryOf, type Channel, type Message } from '../outbox/messages.ts';
import { unsubscribeUrl } from '../outbox/unsubscribe-token.ts';
import { namesOf } from '../profile/names.ts';
import { HttpError } from '../http/http-error.ts';
import { serve } from '../http/mount-endpoint.ts';
import type { Api } from '../services.ts';
import { referralData } from './personal-data.ts';
import { invitationEmail, invitationText } from './invitation.ts';
import { clearRecipients } from './retention.ts';
import { mobileNumber } from './mobile-number.ts';
import { type ReferralRow, referrals } from './collections.ts';
import { withLimitMessage, textLimits } from './text-limits.ts';
import { accessBy, countAccess } from './tracking.ts';

const DAY_SECONDS = 24 * 60 * 60;
interface Recipient {
  channel: Channel;
  to: string;
}

const WORDS = { email: 'emails', sms: 'text messages' };

/** Inviting friends, and hearing which of them came. */
export function mountReferrals(api: Api): void {
  const { services } = api;
  const { env, db, outbox, limiter, log } = services;
  const posts = outbox.from('referrals');
  services.personalData.add(referralData(db, posts));
  services.sweep('referral recipients', () => clearRecipients(db));
  const limit = (name: string, points: number, days: number) =>
    limiter({ name, points, seconds: days * DAY_SECONDS, shared: true });
  const limitPerson = limit('referrals-person', 20, 1);
  const limitRecipient = limit('referrals-recipient', 3, 30);
  const allowText = textLimits(services);
  const limitTracking = limiter({ name: 'referrals-tracking', points: 60, seconds: 60 });

  /** The code that the admin gives to invited friends, as long as it lets anybody in. */
  async function inviteCode(): Promise<string | null> {
    const code = env.REFERRAL_ACCESS_CODE;
    const row = code ? await accessCodes(db).findOne({ code, is_active: true }) : null;
    if (!row || (row.expires_at && row.expires_at <= new Date())) return null;
    return row.max_uses === null || row.current_uses < row.max_uses ? row.code : null;
  }

  /** @throws Refusal where messages of this kind cannot, or may not, go to this recipient */
  async function allow({ channel, to }: Recipient, user: UserRow, network: Network) {
    if (!outbox.canSend(channel))
      throw new HttpError(
        503,
        `This site can’t send ${WORDS[channel]}. Please share your link instead.`,
      );
    if (await outbox.hasOptedOut(channel, to))
      throw new HttpError(
        409,
        'This person doesn’t want invitations. Please share your link instead.',
        {
          code: 'opted_out',
        },
      );
    await withLimitMessage(
      limitRecipient(addressId(channel, to)),
      'This person has been invited too often lately.',
    );
    // Last, since it counts for everybody.
    if (channel === 'sms') await allowText(user, network);
  }

  /** @returns the message that goes out; undefined for a link, which people hand out themselves */
  async function messageFor(row: ReferralRow): Promise<Message | undefined> {
    const invitation = {
      product: env.PRODUCT_NAME,
      origin: env.PUBLIC_ORIGIN,
      ref: row._id,
      referrerName: row.referrer_name,
      message: row.message,
      accessCode: await inviteCode(),
      footer: env.outbox.footer,
    };
    if (row.recipient_phone) return invitationText(row.recipient_phone, invitation);
    if (!row.recipient_email) return undefined;
    return invitationEmail(
      row.recipient_email,
      unsubscribeUrl(env, row.recipient_email),
      invitation,
    );
  }

  serve(api, createReferral, async ({ body, caller: { user }, freshId, ctx }) => {
    const { referral_method } = body;
    const recipient = recipientOf(body, env.SMS_COUNTRIES);
    if (recipient && body.message) await refuseUnfit(services, user, body.message, 'message');
    // By the address, which outlives an account that is deleted and made anew.
    await withLimitMessage(
      limitPerson(addressId('email', user.email)),
      'You’ve reached today’s invitation limit.',
    );
    if (recipient) await allow(recipient, user, networkOf(addressOf(ctx)));
    const row: ReferralRow = {
      _id: freshId(),
      referrer_user_id: user._id,
      referrer_name: (await namesOf(db, [user._id])).get(user._id) ?? user.given_name,
      referral_method,
      recipient_email: recipient?.channel === 'email' ? recipient.to : null,
      recipient_phone: recipient?.channel === 'sms' ? recipient.to : null,
      message: body.message ?? null,
      sent_at: new Date(),
      access_code_used: null,
      accessed_at: null,
    };
    const message = await messageFor(row);
    if (message) row.post = { message, at: row.sent_at };
    try {
      await referrals(db).insertOne(row);
    } catch (error) {
      // The same call once more, after its answer was lost: what it made is there.
      if (!isDuplicate(error)) throw error;
    }
    // It is in the row, and a sweep finds it there too.
    await posts
      .post(row._id)
      .catch((err: unknown) => log.warn({ err }, 'a referral invitation will be sent later'));
    return { referral: present(row, message ? 'waiting' : null) };
  });

  serve(api, trackAccess, async ({ body, visitor, ctx, idFor }) => {
    await limitTracking(networkOf(addressOf(ctx)));
    const access = await accessBy(services, body.access_code, visitor, ctx);
    if (access) await countAccess(services, body.referrer_id, body.access_code, access, idFor);
    return {};
  });

  serve(api, getReferralStats, async ({ caller: { user } }) => {
    const mine = { referrer_user_id: user._id };
    const [total, successful, email, sms, rows, access_code] = await Promise.all([
      referrals(db).countDocuments(mine),
      referrals(db).countDocuments({ ...mine, accessed_at: { $ne: null } }),
      referrals(db).countDocuments({ ...mine, referral_method: 'email' }),
      referrals(db).countDocuments({ ...mine, referral_method: 'sms' }),
      referrals(db).find(mine).sort({ sent_at: -1, _id: 1 }).limit(RECENT_REFERRALS).toArray(),
      inviteCode(),
    ]);
    const statuses = await posts.statusOf(rows.map(({ _id }) => _id));
    const methods: ReferralMethod[] = [
      ...(['email', 'sms'] as const).filter((channel) => outbox.canSend(channel)),
      'link',
    ];
    return {
      total_referrals: total,
      successful_referrals: successful,
      email_referrals: email,
      sms_referrals: sms,
      recent_referrals: rows.map((row) => present(row, deliveryOf(row, statuses.get(row._id)))),
      methods,
      access_code,
    };
  });
}

function recipientOf(
  { referral_method, recipient_email, recipient_phone }: ReferralFields,
  smsCountries: readonly string[],
): Recipient | null {
  if (referral_method === 'email' && recipient_email)
    return { channel: 'email', to: recipient_email };
  if (referral_method === 'sms' && recipient_phone)
    return { channel: 'sms', to: mobileNumber(recipient_phone, smsCountries) };
  return null;
}

const present = (row: ReferralRow, delivery: Referral['delivery']): Referral => ({
  id: row._id,
  referrer_user_id: row.referrer_user_id,
  referrer_name: row.referrer_name,
  referral_method: row.referral_method,
  recipient_email: row.recipient_email,
  recipient_phone: row.recipient_phone,
  message: row.message,
  sent_at: row.sent_at.toISOString(),
  access_code_used: row.access_code_used,
  accessed_at: row.accessed_at?.toISOString() ?? null,
  delivery,
});
