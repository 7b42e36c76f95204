import { z } from 'zod';
import { endpoint, HEAVY_READ } from '../endpoint.ts';
import { emailAddress } from '../normalization/email-address.ts';
import { phoneNumber } from '../normalization/phone-number.ts';
import { typedCode } from '../normalization/typed-code.ts';
import { requireRecipient, REFERRAL_MESSAGE_MAX, PHONE_MIN, PHONE_MAX } from './rules.ts';

export const referralMethod = z.enum(['email', 'sms', 'link']);
export type ReferralMethod = z.infer<typeof referralMethod>;

/** An empty form field arrives as ''. */
const emptyToNone = (value: unknown) =>
  value === null || (typeof value === 'string' && value.trim() === '') ? undefined : value;

export const referralFields = z
  .object({
    referral_method: referralMethod,
    recipient_email: z.preprocess(emptyToNone, emailAddress().optional()),
    recipient_phone: z.preprocess(emptyToNone, phoneNumber(PHONE_MIN, PHONE_MAX).optional()),
    message: z.preprocess(emptyToNone, z.string().trim().max(REFERRAL_MESSAGE_MAX).optional()),
  })
  .superRefine(requireRecipient);
export type ReferralFields = z.output<typeof referralFields>;

export const referral = z.object({
  id: z.string(),
  referrer_user_id: z.string(),
  referrer_name: z.string(),
  referral_method: referralMethod,
  recipient_email: z.string().nullable(),
  recipient_phone: z.string().nullable(),
  message: z.string().nullable(),
  sent_at: z.iso.datetime(),
  /** The access code that the friend used. */
  access_code_used: z.string().nullable(),
  accessed_at: z.iso.datetime().nullable(),
  /** The delivery status of the email or text message; null for links and old messages. */
  delivery: z.enum(['waiting', 'sent', 'failed']).nullable(),
  /** The invitation's own access code, while it can be used; null without one. */
  access_code: z.string().nullable().optional(),
});
export type Referral = z.infer<typeof referral>;

/** Sends an email or text message to a friend; `link` only counts. */
export const createReferral = endpoint('POST', '/referrals', {
  access: 'member',
  body: referralFields,
  answer: z.object({ referral }),
  failure: 'Failed to send referral',
});

/**
 * An invitation that can be used now, for whoever has its link. The answer is the same for invitations that don't exist, were
 * used, or have expired.
 */
export const getInvitation = endpoint('GET', '/referrals/invitations/:ref', {
  access: 'public',
  params: z.object({ ref: z.string().min(1).max(64) }),
  answer: z.object({
    inviter_name: z.string(),
    access_code: z.string(),
    expires_at: z.iso.datetime(),
    /** The friend link of the inviter, with which a friendship is proposed after the sign-up. */
    friend_token: z.string().optional(),
  }),
  failure: 'This invitation was used or has expired',
});

/**
 * Called by a visitor who got access: `referrer_id` is the `ref` in the URL, the id of a user or referral. It counts once,
 * and only if this visitor used that code; the response is always the same.
 */
export const trackAccess = endpoint('POST', '/referrals/track-access', {
  access: 'public',
  body: z.object({
    referrer_id: z.string().min(1).max(64),
    access_code: z.string().overwrite(typedCode).min(1).max(50),
  }),
  failure: 'Failed to track access',
});

const referralStats = z.object({
  total_referrals: z.number().int(),
  /** How many of them led to access. */
  successful_referrals: z.number().int(),
  email_referrals: z.number().int(),
  sms_referrals: z.number().int(),
  /** The latest first. */
  recent_referrals: z.array(referral),
  /** The available methods; `link` always works. */
  methods: z.array(referralMethod),
  /** The access code for invited friends, if one is configured. */
  access_code: z.string().nullable(),
  /** How many invitations with an access code of their own members get a month, and how many are left. */
  codes_per_month: z.number().int().optional(),
  codes_left: z.number().int().optional(),
});

export const getReferralStats = endpoint('GET', '/referrals/stats', {
  limit: HEAVY_READ,
  access: 'member',
  answer: referralStats,
  failure: 'Failed to load referral stats',
});
