import { HttpError, notFound } from '#shared/http/http-error.ts';
import {
  createReferral,
  getInvitation,
  getReferralStats,
  trackAccess,
  type Referral,
  type ReferralFields,
  type ReferralMethod,
} from '#shared/referrals/contract.ts';
import { RECENT_REFERRALS } from '#shared/referrals/rules.ts';
import { dayTime } from '#shared/rounded-time.ts';
import type { UserRow } from '#shared/server/collections.ts';
import { DAY_SECONDS } from '#shared/time.ts';
import { insertIfAbsent } from '../../platform/database.ts';
import { serve } from '../../platform/http/mount-endpoint.ts';
import { addressOf, networkOf, type Network } from '../../platform/http/request-origin.ts';
import { addressId, deliveryOf, type Channel } from '../../platform/mail-queue/messages.ts';
import { type Api, offered } from '../../platform/services.ts';
import { accessCodes } from '../access-gate/collections.ts';
import { admitsInvited } from '../access-gate/invited.ts';
import { refuseUnfit } from '../content-rules/refuse-unfit.ts';
import { friendLinkOf } from '../friend-links/collections.ts';
import { namesOf } from '../profile/names.ts';
import { mountInvitationPolicy } from './admin-routes.ts';
import { type ReferralRow, referrals } from './collections.ts';
import { countInvited } from './count-invited.ts';
import { invitationCodes, removeExpiredCodes } from './invitation-codes.ts';
import { invitationMessage } from './invitation.ts';
import { mobileNumber } from './mobile-number.ts';
import { clearRecipients } from './retention.ts';
import { withLimitMessage, textLimits } from './text-limits.ts';
import { accessBy, countAccess } from './tracking.ts';

interface Recipient {
  channel: Channel;
  to: string;
}

const WORDS = { email: 'emails', sms: 'text messages' };

/** Inviting friends, and counting those who joined. */
export function mountReferrals(api: Api): void {
  const { services } = api;
  const { env, db, mailQueue, limiter } = services;
  const posts = mailQueue.from('referrals');
  offered(api, 'whenEntered').add((userId) => countInvited(services, userId));
  const codes = invitationCodes(db);
  mountInvitationPolicy(api);
  services.registerJob('referral recipients', () => clearRecipients(db));
  services.registerJob('invitation codes', () => removeExpiredCodes(db));
  const limit = (name: string, points: number, days: number) =>
    limiter({ name, points, seconds: days * DAY_SECONDS, shared: true });
  const limitPerson = limit('referrals-person', 20, 1);
  const limitRecipient = limit('referrals-recipient', 3, 30);
  const allowText = textLimits(services);
  const limitLinks = limiter({ name: 'referrals-links', points: 60, seconds: 60 });
  const limitTracking = limiter({ name: 'referrals-tracking', points: 60, seconds: 60 });

  /** The access code for invited friends, while it is valid. */
  async function inviteCode(): Promise<string | null> {
    const code = env.REFERRAL_ACCESS_CODE;
    const row = code ? await accessCodes(db).findOne({ code, is_active: true }) : null;
    if (!row || (row.expires_at && row.expires_at <= new Date())) return null;
    return row.max_uses === null || row.current_uses < row.max_uses ? row.code : null;
  }

  /** @throws HttpError when messages cannot, or must not, be sent to this recipient */
  async function allow({ channel, to }: Recipient, user: UserRow, network: Network) {
    if (!mailQueue.canSend(channel))
      throw new HttpError(503, `This site can’t send ${WORDS[channel]}. Share your link instead.`);
    if (await mailQueue.hasOptedOut(channel, to))
      throw new HttpError(409, 'This person doesn’t want invitations. Share your link instead.', {
        code: 'opted_out',
      });
    await withLimitMessage(
      limitRecipient(addressId(channel, to)),
      'This person has been invited too often lately.',
    );
    // Last, because it counts toward the limit of all users.
    if (channel === 'sms') await allowText(user, network);
  }

  serve(api, createReferral, async ({ body, caller: { user }, freshId, ctx }) => {
    const { referral_method } = body;
    const recipient = recipientOf(body, env.SMS_COUNTRIES);
    if (recipient && body.message) await refuseUnfit(services, user, body.message, 'message');
    // By address, because an account can be deleted and created again.
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
    const own = await codes.make(row, user.email);
    const message = invitationMessage(env, row, own?.code ?? (await inviteCode()));
    if (message) row.post = { message, at: row.sent_at };
    await insertIfAbsent(referrals(db), row);
    await posts.post(row._id);
    return { referral: present(row, message ? 'waiting' : null, own?.code) };
  });

  serve(api, getInvitation, async ({ params: { ref }, visitor, ctx }) => {
    await limitLinks(networkOf(addressOf(ctx)));
    const referral = await referrals(db).findOne({ _id: ref });
    const code = referral && (await codes.usable([ref])).get(ref);
    if (!code || !(await admitsInvited(services, code, visitor?.user._id ?? null)))
      throw notFound('Invitation');
    const { referrer_user_id, referrer_name } = referral;
    const names = await namesOf(db, [referrer_user_id]);
    return {
      inviter_name: names.get(referrer_user_id) ?? referrer_name,
      access_code: code.code,
      expires_at: (code.expires_at ?? new Date()).toISOString(),
      friend_token: (await friendLinkOf(db, referrer_user_id)).token,
    };
  });

  serve(api, trackAccess, async ({ body, visitor, ctx, idFor }) => {
    await limitTracking(networkOf(addressOf(ctx)));
    const access = await accessBy(services, body.access_code, visitor, ctx);
    if (access) await countAccess(services, body.referrer_id, body.access_code, access, idFor);
    return {};
  });

  serve(api, getReferralStats, async ({ caller: { user } }) => {
    const mine = { referrer_user_id: user._id };
    const [total, successful, email, sms, rows, access_code, allowance] = await Promise.all([
      referrals(db).countDocuments(mine),
      referrals(db).countDocuments({ ...mine, accessed_at: { $ne: null } }),
      referrals(db).countDocuments({ ...mine, referral_method: 'email' }),
      referrals(db).countDocuments({ ...mine, referral_method: 'sms' }),
      referrals(db).find(mine).sort({ sent_at: -1, _id: 1 }).limit(RECENT_REFERRALS).toArray(),
      inviteCode(),
      codes.allowance(user.email),
    ]);
    const ids = rows.map(({ _id }) => _id);
    const [statuses, usable] = await Promise.all([posts.statusOf(ids), codes.usable(ids)]);
    const methods: ReferralMethod[] = [
      ...(['email', 'sms'] as const).filter((channel) => mailQueue.canSend(channel)),
      'link',
    ];
    return {
      total_referrals: total,
      successful_referrals: successful,
      email_referrals: email,
      sms_referrals: sms,
      recent_referrals: rows.map((row) =>
        present(row, deliveryOf(row, statuses.get(row._id)), usable.get(row._id)?.code),
      ),
      methods,
      access_code,
      codes_per_month: allowance.perMonth,
      codes_left: allowance.left,
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

const present = (
  row: ReferralRow,
  delivery: Referral['delivery'],
  access_code: string | null = null,
): Referral => ({
  ...row,
  id: row._id,
  sent_at: row.sent_at.toISOString(),
  accessed_at: row.accessed_at && dayTime(row.accessed_at),
  delivery,
  access_code,
});
