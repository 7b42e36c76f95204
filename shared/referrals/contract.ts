import { z } from 'zod';
import { endpoint, HEAVY_READ } from '../endpoint.ts';
import { requireRecipient } from './rules.ts';

export const REFERRAL_MESSAGE_MAX = 500;
export const PHONE_MIN = 10;
export const PHONE_MAX = 15;
/** How many of the latest referrals come with the stats. */
export const RECENT_REFERRALS = 10;

export const referralMethod = z.enum(['email', 'sms', 'link']);
export type ReferralMethod = z.infer<typeof referralMethod>;

/** An empty form field arrives as '' and means 'none'. */
const emptyToNone = (value: unknown) =>
  value === null || (typeof value === 'string' && value.trim() === '') ? undefined : value;

export const referralFields = z
  .object({
    referral_method: referralMethod,
    recipient_email: z.preprocess(
      emptyToNone,
      z.string().trim().toLowerCase().max(320).pipe(z.email()).optional(),
    ),
    /** Spaces, brackets, dots and dashes between the digits do not count. */
    recipient_phone: z.preprocess(
      emptyToNone,
      z
        .string()
        .transform((typed) => typed.replace(/[\s().-]/g, ''))
        .pipe(z.string().min(PHONE_MIN).max(PHONE_MAX))
        .optional(),
    ),
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
  /** The code with which the friend came in; null before. */
  access_code_used: z.string().nullable(),
  accessed_at: z.iso.datetime().nullable(),
  /** Where the letter or text message is; null when there is none, or it was long ago. */
  delivery: z.enum(['waiting', 'sent', 'failed']).nullable(),
});
export type Referral = z.infer<typeof referral>;

/** Sends a letter or a text message to a friend; by `link` it sends nothing, and only counts. */
export const createReferral = endpoint({
  method: 'POST',
  path: '/referrals',
  access: 'member',
  body: referralFields,
  answer: z.object({ referral }),
  failure: 'Failed to send referral',
});

/**
 * Told by whoever came in: `referrer_id` is what `ref` in the address was, a user's id or a referral's. It counts
 * once for each access, and only when this visitor did use that code; the answer is the same in any case.
 */
export const trackAccess = endpoint({
  method: 'POST',
  path: '/referrals/track-access',
  access: 'public',
  body: z.object({
    referrer_id: z.string().min(1).max(64),
    access_code: z
      .string()
      .trim()
      .min(1)
      .max(50)
      .transform((code) => code.toUpperCase()),
  }),
  answer: z.object({}),
  failure: 'Failed to track access',
});

const referralStats = z.object({
  total_referrals: z.number().int(),
  /** Of those, how many came in. */
  successful_referrals: z.number().int(),
  email_referrals: z.number().int(),
  sms_referrals: z.number().int(),
  /** The latest first. */
  recent_referrals: z.array(referral),
  /** What this installation can send; `link` always works. */
  methods: z.array(referralMethod),
  /** What friends may enter at the gate, where the admin provides for it; null otherwise. */
  access_code: z.string().nullable(),
});

export const getReferralStats = endpoint({
  method: 'GET',
  path: '/referrals/stats',
  limit: HEAVY_READ,
  access: 'member',
  answer: referralStats,
  failure: 'Failed to load referral stats',
});
