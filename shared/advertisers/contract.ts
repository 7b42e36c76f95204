import { z } from 'zod';
import { placement } from '../ads/contract.ts';
import { AD_DESCRIPTION_MAX, AD_TITLE_MAX, isWebAddress, withScheme } from '../ads/rules.ts';
import { endpoint, type Upload } from '../endpoint.ts';
import { imageUpload } from '../files/contract.ts';
import { orNone } from '../form-fields.ts';
import { emailAddress } from '../normalization/email-address.ts';
import { paymentStatus, paymentToken } from '../payments/contract.ts';
import { DAY_MS } from '../time.ts';
import { businessType } from './business-types.ts';
import { reviewMode } from './reviews.ts';
import {
  LISTING_RADIUS_MAX_MILES,
  SLOT_CALENDAR_DAYS,
  SLOT_HOURS,
  NAME_MAX,
  ADDRESS_MAX,
  PHONE_MAX,
  BILLING_ADDRESS_MAX,
  DURATION_MAX_HOURS,
  LISTING_RADIUS_MILES,
  BOOKABLE_DAYS,
  RADIUS_STEP,
} from './rules.ts';

/** Identifies the browser of an advertiser: only it can continue what it began. */
export const ADVERTISER_COOKIE = 'advertiser';

export const COMPANY_REQUIRED = 'Please fill in all required fields';
export const TIMED_REQUIRED = 'Please fill in all advertisement details';
export const LOCAL_REQUIRED = 'Please fill in all location advertisement details';
export const NOT_IN_FUTURE = 'Scheduled start time must be in the future';
const TOO_FAR = 'Scheduled start time must be within a year';

/** Error codes that the signup handles specially. */
export const ADVERTISER_REFUSALS = {
  /** 409: another ad has this time, or is being paid for it. */
  taken: 'slot_taken',
  /** 409: its time began before it was paid. */
  late: 'slot_late',
} as const;

const text = (required: string, max: number) =>
  z.string({ error: required }).trim().min(1, required).max(max, 'Invalid input');
const optionalText = (max: number) => orNone(z.string().trim().max(max)).default(null);
const webAddress = (words: z.ZodString) =>
  words
    .max(2_048, 'Invalid input')
    .overwrite(withScheme)
    .refine(isWebAddress, { error: 'Invalid url', abort: true });

const isTimeZone = (name: string): boolean => {
  try {
    return Boolean(new Intl.DateTimeFormat('en-US', { timeZone: name }));
  } catch {
    return false;
  }
};

/** What an admin may correct, too. */
export const companyTexts = {
  company_name: text(COMPANY_REQUIRED, NAME_MAX),
  contact_name: text(COMPANY_REQUIRED, NAME_MAX),
  phone: optionalText(PHONE_MAX),
  billing_address: optionalText(BILLING_ADDRESS_MAX),
};

const companyFields = z.object({
  email: emailAddress(COMPANY_REQUIRED),
  ...companyTexts,
  /** The time zone for emails, such as 'America/New_York', from the browser; unknown ones become UTC. */
  time_zone: z.string().max(60).refine(isTimeZone).catch('UTC').default('UTC'),
});
export type CompanyFields = z.infer<typeof companyFields>;

export const advertiserId = z.string({ error: 'Required' }).min(1, 'Required').max(64);

/** Creates an advertiser, or updates the one that this browser created with the same email. */
export const createAdvertiser = endpoint('POST', '/advertisers', {
  access: 'public',
  body: companyFields,
  answer: z.object({ advertiser: z.object({ id: z.string() }) }),
  failure: 'Failed to create advertiser account',
});

const image: Upload = { ...imageUpload, isOptional: true };
/** The file name on the advertiser's device. */
const image_filename = optionalText(255);

/** A timed ad's id is a number, sent as digits in forms. */
const timedAdId = z.coerce.number().int().positive();
const listingId = z.string().min(1).max(64);
const absent = (value: unknown) => (value === '' ? undefined : value);

const isAhead = (time: string) => Date.parse(time) > Date.now();
const scheduled_start_at = z
  .string({ error: TIMED_REQUIRED })
  .min(1, TIMED_REQUIRED)
  .pipe(z.iso.datetime({ offset: true, error: 'Invalid input', abort: true }))
  .refine(isAhead, { error: NOT_IN_FUTURE, abort: true })
  .refine((time) => Date.parse(time) <= Date.now() + BOOKABLE_DAYS * DAY_MS, { error: TOO_FAR });
const duration_hours = z.preprocess(
  absent,
  z.coerce.number().int().min(1).max(DURATION_MAX_HOURS).default(SLOT_HOURS),
);

/** Shown to advertisers before payment. */
const toPay = {
  cost_cents: z.number().int(),
  /** Whether we review it before it goes live, or after. */
  review: reviewMode,
};

export const timedAdText = z.object({
  title: text(TIMED_REQUIRED, AD_TITLE_MAX),
  description: text(TIMED_REQUIRED, AD_DESCRIPTION_MAX),
  target_url: webAddress(z.string({ error: TIMED_REQUIRED }).trim().min(1, TIMED_REQUIRED)),
});

/**
 * Creates an unpaid timed ad, or changes the one with `advertisement_id`.
 */
export const createTimedAd = endpoint('POST', '/advertiser-ads', {
  access: 'public',
  upload: image,
  body: timedAdText.extend({
    advertiser_id: advertiserId,
    placement: placement.default('banner'),
    scheduled_start_at,
    duration_hours,
    image_filename,
    advertisement_id: z.preprocess(absent, timedAdId.optional()).optional(),
  }),
  answer: z.object({
    advertisement: z.object({ id: z.number().int(), ...toPay }),
  }),
  failure: 'Failed to create advertisement',
});

/** A number from a form; an empty field is not zero. */
const number = (required: string, min: number, max: number) =>
  z.preprocess(
    (value) => (typeof value === 'string' && value.trim() !== '' ? Number(value) : value),
    z
      .number({
        error: ({ input }) => (input === undefined || input === '' ? required : undefined),
      })
      .min(min)
      .max(max),
  );

export const listingText = z.object({
  business_name: text(LOCAL_REQUIRED, NAME_MAX),
  description: text(LOCAL_REQUIRED, AD_DESCRIPTION_MAX),
  address: optionalText(ADDRESS_MAX),
  phone: optionalText(PHONE_MAX),
  website_url: orNone(webAddress(z.string().trim())).default(null),
});

/** Creates an unpaid business listing, or changes the one with `advertisement_id`. */
export const createLocationAd = endpoint('POST', '/location-based-ads', {
  access: 'public',
  upload: image,
  body: listingText.extend({
    advertiser_id: advertiserId,
    business_type: z.preprocess(absent, businessType.default('restaurant')),
    latitude: number(LOCAL_REQUIRED, -90, 90),
    longitude: number(LOCAL_REQUIRED, -180, 180),
    search_radius_miles: z.preprocess(
      absent,
      z.coerce
        .number()
        .min(RADIUS_STEP)
        .max(LISTING_RADIUS_MAX_MILES)
        .multipleOf(RADIUS_STEP)
        .default(LISTING_RADIUS_MILES),
    ),
    image_filename,
    advertisement_id: z.preprocess(absent, listingId.optional()).optional(),
  }),
  answer: z.object({
    advertisement: z.object({ id: z.string(), ...toPay }),
  }),
  failure: 'Failed to create location-based advertisement',
});

/** Whether a time is free; a reservation of the same ad does not count. */
export const findSlot = endpoint('GET', '/advertiser-slots', {
  access: 'public',
  query: z.object({
    placement,
    scheduled_start_at,
    duration_hours,
    advertisement_id: z.preprocess(absent, timedAdId.optional()).optional(),
  }),
  answer: z.object({
    is_free: z.boolean(),
    /** The first free time from the requested one on. */
    next_free_at: z.iso.datetime(),
  }),
  failure: 'Failed to find an open time',
});

/**
 * The times of a placement that other ads have, for a calendar: of `SLOT_CALENDAR_DAYS` at most. A reservation of the same ad does not
 * count.
 */
export const listTakenTimes = endpoint('GET', '/advertiser-slots/taken', {
  access: 'public',
  query: z
    .object({
      placement,
      from: z.iso.datetime(),
      until: z.iso.datetime(),
      advertisement_id: z.preprocess(absent, timedAdId.optional()).optional(),
    })
    .refine(
      ({ from, until }) => Date.parse(until) - Date.parse(from) <= SLOT_CALENDAR_DAYS * DAY_MS,
      'Too many days',
    ),
  answer: z.object({
    taken: z.array(z.object({ start: z.iso.datetime(), end: z.iso.datetime() })),
  }),
  failure: 'Failed to load the open times',
});

/** The number of a timed ad, or the text of a listing. */
const advertisement_id = z.union([z.number().int().positive(), listingId]);
/** The month of a listing that is paid, from 0; always 0 for a timed ad. */
const period = z.number().int().min(0).max(10_000).default(0);

/** Pays for an ad, once however often it is called. */
export const payForAd = endpoint('POST', '/advertiser-payments/process', {
  access: 'public',
  body: z.object({
    payment_token: paymentToken,
    advertiser_id: advertiserId,
    advertisement_id,
    period,
  }),
  answer: z.object({
    success: z.boolean(),
    /** Always null: failures are error responses. */
    error: z.null(),
  }),
  failure: 'Payment processing failed',
});

/** The status of a payment. Closes one that was not made, as `checkDonation` does; `pending` means ask again. */
export const checkAdPayment = endpoint('POST', '/advertiser-payments/check', {
  access: 'public',
  body: z.object({ advertiser_id: advertiserId, advertisement_id, period }),
  answer: z.object({ payment_status: paymentStatus }),
  failure: 'Payment processing failed',
});
