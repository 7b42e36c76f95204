import { z } from 'zod';
import { paged, paging, search } from '../admin/paging.ts';
import { isWebAddress } from '../ads/rules.ts';
import { endpoint } from '../endpoint.ts';
import { orNone } from '../form-fields.ts';

/** Less than 2 MB, as the words for a larger one say. */
const LOGO_MAX_BYTES = 2 * 1024 * 1024 - 1;
export const LOGO_NO_IMAGE = 'Please select an image file for your logo';
const LOGO_TOO_LARGE = 'Logo file size must be less than 2MB';
/** What the community's form says, whichever of them is missing. */
export const FIELDS_MISSING = 'Please fill in all required fields';

export const CHARITY_NAME_MAX = 100;
export const CHARITY_DESCRIPTION_MAX = 2000;
const LINK_MAX = 500;
/** How long the shorter texts of a charity may be. */
export const CHARITY_TEXT_MAX = {
  contact_name: 200,
  phone: 40,
  tax_id: 50,
  address: 200,
  city: 100,
  state: 100,
  zip_code: 20,
} as const;

/** The fields that an application must have, each by its name in 'is required'. */
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
  contact_email: needed('contact_email', 320).toLowerCase().pipe(z.email()),
  payment_link: needed('payment_link', LINK_MAX).refine(
    isWebAddress,
    'Please enter a valid payment link URL',
  ),
  contact_name: text('contact_name'),
  phone: text('phone'),
  website_url: orNone(
    z.string().trim().max(LINK_MAX).refine(isWebAddress, 'Please enter a valid website URL'),
  ).optional(),
  tax_id: text('tax_id'),
  address: text('address'),
  city: text('city'),
  state: text('state'),
  zip_code: text('zip_code'),
});
export type CharityFields = z.output<typeof charityFields>;

/** An application says whom to ask for; a suggestion need not. */
export const applicationFields = charityFields.extend({
  contact_name: needed('contact_name', CHARITY_TEXT_MAX.contact_name),
});

/** A charity as members see it: whom an admin calls about it is not told. */
export const charity = z.object({
  id: z.string(),
  charity_name: z.string(),
  description: z.string(),
  phone: z.string().nullable(),
  /** Leads to http or https, as the payment link does. */
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
  /** How many people went to give, each once a day. What they gave there nobody tells us. */
  donation_count: z.number().int(),
  total_donated_cents: z.number().int(),
  created_at: z.iso.datetime(),
});
export type Charity = z.infer<typeof charity>;

export const charitySort = z.enum(['name', 'donations', 'recent']);
export type CharitySort = z.infer<typeof charitySort>;

/** Those that are active and verified, page by page. */
export const listCharities = endpoint({
  method: 'GET',
  path: '/charities',
  access: 'member',
  query: z.object({ ...paging, search, sort: charitySort.default('name') }),
  answer: z.object({ charities: z.array(charity), ...paged }),
  failure: 'Failed to load charities',
});

/**
 * As a form: the application of a charity, from anybody, with a logo where it has one. As JSON: a member's suggestion of
 * one. Neither is shown to members before an admin has verified it.
 */
export const createCharity = endpoint({
  method: 'POST',
  path: '/charities',
  access: 'public',
  body: charityFields,
  form: applicationFields,
  upload: {
    field: 'logo',
    maxBytes: LOGO_MAX_BYTES,
    tooLarge: LOGO_TOO_LARGE,
    isOptional: true,
  },
  answer: z.object({ charity: z.object({ id: z.string(), charity_name: z.string() }) }),
  failure: 'Failed to submit charity suggestion',
});
/** In place of `failure`, for whom the call is an application, and where a suggestion got no answer at all. */
export const APPLICATION_FAILURE = 'Failed to submit charity application';
export const SUGGESTION_UNANSWERED = 'Failed to submit suggestion';

/** Notes that somebody goes to give, before they do, at an address that is not ours. */
export const createCharityDonation = endpoint({
  method: 'POST',
  path: '/charity-donations',
  access: 'member',
  body: z.object({
    charity_id: z.string().min(1).max(64),
    /** What is given elsewhere is not known here. */
    amount_cents: z.literal(0).default(0),
    donation_type: z.literal('external_link').default('external_link'),
  }),
  answer: z.object({}),
  failure: 'Failed to record donation',
});
