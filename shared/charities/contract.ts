import { z } from 'zod';
import { paged, paging, search } from '../admin/paging.ts';
import { isWebAddress, withScheme } from '../ads/rules.ts';
import { endpoint } from '../endpoint.ts';
import { idParams, orNone } from '../form-fields.ts';
import { emailAddress } from '../normalization/email-address.ts';
import { latitude, longitude } from '../place.ts';
import {
  LOGO_MAX_BYTES,
  CHARITY_NAME_MAX,
  CHARITY_DESCRIPTION_MAX,
  LINK_MAX,
  CHARITY_TEXT_MAX,
  STORY_MAX,
  GOAL_MAX_CENTS,
  UPDATE_TEXT_MAX,
} from './rules.ts';

export const LOGO_NO_IMAGE = 'Please select an image file for your logo';
const LOGO_TOO_LARGE = 'Logo file size must be less than 2MB';
/** The error of the community form for any missing field. */
export const FIELDS_MISSING = 'Please fill in all required fields';

/** Required fields of an application, with their names in '<field> is required'. */
export const REQUIRED_FIELDS = {
  charity_name: 'Charity name',
  description: 'Description',
  contact_email: 'Contact email',
  contact_name: 'Contact name',
  payment_link: 'Payment link',
} as const;
export type RequiredField = keyof typeof REQUIRED_FIELDS;

const requiredWords = (field: RequiredField): string => `${REQUIRED_FIELDS[field]} is required`;

const needed = (field: RequiredField, max: number) =>
  z
    .string({ error: requiredWords(field) })
    .trim()
    .min(1, requiredWords(field))
    .max(max, 'Invalid input');

const text = (field: keyof typeof CHARITY_TEXT_MAX) =>
  orNone(z.string().trim().max(CHARITY_TEXT_MAX[field])).optional();

export const charityFields = z.object({
  charity_name: needed('charity_name', CHARITY_NAME_MAX),
  description: needed('description', CHARITY_DESCRIPTION_MAX),
  contact_email: emailAddress(requiredWords('contact_email')),
  payment_link: needed('payment_link', LINK_MAX)
    .overwrite(withScheme)
    .refine(isWebAddress, 'Please enter a valid payment link URL'),
  contact_name: text('contact_name'),
  phone: text('phone'),
  website_url: orNone(
    z
      .string()
      .trim()
      .max(LINK_MAX)
      .overwrite(withScheme)
      .refine(isWebAddress, 'Please enter a valid website URL'),
  ).optional(),
  tax_id: text('tax_id'),
  address: text('address'),
  city: text('city'),
  state: text('state'),
  zip_code: text('zip_code'),
});
export type CharityFields = z.output<typeof charityFields>;

/** An application requires a contact name; a suggestion does not. */
export const applicationFields = charityFields.extend({
  contact_name: needed('contact_name', CHARITY_TEXT_MAX.contact_name),
});

/** A charity as members see it, without its contact’s name and email address. */
export const charity = z.object({
  id: z.string(),
  charity_name: z.string(),
  description: z.string(),
  phone: z.string().nullable(),
  /** An http or https URL, as the payment link. */
  website_url: z.string().nullable(),
  tax_id: z.string().nullable(),
  address: z.string().nullable(),
  city: z.string().nullable(),
  state: z.string().nullable(),
  zip_code: z.string().nullable(),
  payment_link: z.string(),
  /** Of a file. */
  logo_key: z.string().nullable(),
  is_verified: z.boolean(),
  is_active: z.boolean(),
  /** How many people opened the donation page, each once a day. We don't know what they gave. */
  donation_count: z.number().int(),
  total_donated_cents: z.number().int(),
  /** What the charity tells on its page. */
  story: z.string().nullable().default(null),
  /** What it collects for; null without a goal. */
  goal_cents: z.number().int().nullable().default(null),
  /** Newest first. */
  updates: z.array(z.object({ text: z.string(), at: z.iso.datetime() })).default([]),
  /** From where the reader is to its town, in the nearest-first order; else null. */
  distance_miles: z.number().nullable().default(null),
  created_at: z.iso.datetime(),
});
export type Charity = z.infer<typeof charity>;

/** A charity as everybody sees it: its phone may be its contact’s own, so only members see it. */
export const publicCharity = charity.omit({ phone: true });
export type PublicCharity = z.infer<typeof publicCharity>;

const degrees = (range: z.ZodNumber) => z.string().min(1).transform(Number).pipe(range);

export const charitySort = z.enum(['name', 'donations', 'recent', 'near']);
export type CharitySort = z.infer<typeof charitySort>;

/** Those that are active and verified, page by page. */
export const listCharities = endpoint('GET', '/charities', {
  access: 'member',
  query: z.object({
    ...paging,
    search,
    sort: charitySort.default('name'),
    /** Where the reader is, to about a mile; required for `near`, which has one page. */
    latitude: degrees(latitude).optional(),
    longitude: degrees(longitude).optional(),
  }),
  answer: z.object({ charities: z.array(charity), ...paged }),
  failure: 'Failed to load charities',
});

/** A charity’s public page, for everybody who has the link; 404 unless it is active and verified. */
export const getCharityPage = endpoint('GET', '/charities/:id', {
  access: 'public',
  params: idParams,
  answer: z.object({ charity: publicCharity }),
  failure: 'Failed to load the charity',
});

const token = z.string().min(1).max(200);

/** A number, which a form sends as a text. */
const asNumber = <Schema extends z.ZodType>(schema: Schema) =>
  z.preprocess((value) => (typeof value === 'string' ? Number(value) : value), schema);

/** What an applicant may change on a page: all that is shown of the charity; a verified one keeps `VERIFIED_FIELDS`. */
export const pageFields = z.object({
  description: charityFields.shape.description.optional(),
  charity_name: charityFields.shape.charity_name.optional(),
  payment_link: charityFields.shape.payment_link.optional(),
  website_url: charityFields.shape.website_url,
  address: charityFields.shape.address,
  city: charityFields.shape.city,
  state: charityFields.shape.state,
  zip_code: charityFields.shape.zip_code,
  story: orNone(z.string().trim().max(STORY_MAX)).optional(),
  goal_cents: orNone(asNumber(z.number().int().min(100).max(GOAL_MAX_CENTS))).optional(),
  /** A new update; those before stay. */
  update: z.string().trim().min(1).max(UPDATE_TEXT_MAX).optional(),
  /** Null removes the logo. */
  logo_key: z.null().optional(),
});

const application = z.object({
  charity: publicCharity,
  /** Why it was rejected; null if it wasn’t. */
  rejection: z.string().nullable(),
  version: z.number().int(),
});
export type Application = z.infer<typeof application>;

const openedApplication = application.extend({
  /** Its logo as a data URL, also before it is public; null without one. */
  logo_url: z.string().nullable().default(null),
});
export type OpenedApplication = z.infer<typeof openedApplication>;

/** Opens an application with the token of its emailed link; 404 for any other token. */
export const openApplication = endpoint('POST', '/charity-application', {
  access: 'public',
  body: z.object({ token }),
  answer: openedApplication,
  failure: 'Failed to open your application',
});

const logo = {
  field: 'logo',
  maxBytes: LOGO_MAX_BYTES,
  tooLarge: LOGO_TOO_LARGE,
  isOptional: true,
};

/** Changes it, as a form where the logo is new. What was rejected waits for a moderator again. */
export const changeApplication = endpoint('PUT', '/charity-application', {
  access: 'public',
  body: pageFields.extend({ token, version: asNumber(z.number().int().min(0)) }),
  upload: logo,
  answer: application,
  failure: 'Failed to save your page',
});

/**
 * As a form: an application by a charity, with an optional logo. As JSON: a suggestion by a member. Both are shown to
 * members only after an admin verified them.
 */
export const createCharity = endpoint('POST', '/charities', {
  access: 'public',
  body: charityFields,
  form: applicationFields,
  upload: logo,
  answer: z.object({ charity: z.object({ id: z.string(), charity_name: z.string() }) }),
  failure: 'Failed to submit charity suggestion',
});
/** Replace `failure` for an application, and for a suggestion without a response. */
export const APPLICATION_FAILURE = 'Failed to submit charity application';
export const SUGGESTION_UNANSWERED = 'Failed to submit suggestion';

/** Records that a member opens a charity's donation page, which is not ours. */
export const createCharityDonation = endpoint('POST', '/charity-donations', {
  access: 'member',
  body: z.object({
    charity_id: z.string().min(1).max(64),
    /** The amount is unknown to us. */
    amount_cents: z.literal(0).default(0),
    donation_type: z.literal('external_link').default('external_link'),
  }),
  failure: 'Failed to record donation',
});
