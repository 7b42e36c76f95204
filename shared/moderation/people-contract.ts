import { z } from 'zod';
import { paged, paging } from '../admin/paging.ts';
import { endpoint } from '../endpoint.ts';
import { idParams } from '../form-fields.ts';
import { locationTip, walkLocation } from '../locations/schemas.ts';
import { adminReport, adminWarning, contentAct } from './admin-contract.ts';
import { logEntry } from './rules-contract.ts';
import { REASON_MAX } from './rules.ts';

/** How many people a search returns, and how many rows of each kind a person has. */
export const PEOPLE_MAX = 50;
export const ROWS_MAX = 50;

const foundPerson = z.object({
  user_id: z.string(),
  /** As the person wrote it, even if it is hidden from others. */
  name: z.string(),
  email: z.string(),
  joined_at: z.iso.datetime(),
});
export type FoundPerson = z.infer<typeof foundPerson>;

const dates = z.iso.datetime().nullable();

const listedPerson = foundPerson.extend({
  is_admin: z.boolean(),
  access_expires_at: dates,
  /** Such as 2026-11-21: to the day, which is enough to know whether an account is in use. */
  last_seen_on: z.string().nullable(),
  restricted_until: dates,
  suspended_until: dates,
  /** Past and current ones. */
  sanctions: z.number().int(),
});
export type ListedPerson = z.infer<typeof listedPerson>;

/**
 * Lists accounts, or finds people by the beginning of their email address, by their whole id, or by the beginnings of the
 * words of their names. A search has one page of at most PEOPLE_MAX people; `has_more` says whether more match.
 */
export const findPeople = endpoint('GET', '/admin/people', {
  access: 'admin',
  query: z.object({
    search: z.string().trim().max(320).optional(),
    status: z.enum(['restricted', 'suspended', 'admin']).optional(),
    ...paging,
    sort: z.enum(['newest', 'oldest']).default('newest'),
  }),
  answer: z.object({ people: z.array(listedPerson), has_more: z.boolean(), ...paged }),
  failure: 'Failed to search people',
});

const personAccount = listedPerson.omit({ sanctions: true }).extend({
  email_verified: z.boolean(),
  /** As the identity provider reports it. */
  given_name: z.string(),
});

const personDog = z.object({
  id: z.string(),
  name: z.string(),
  is_hidden: z.boolean(),
  image_key: z.string().nullable(),
});

/** Administrators don't see reports about themselves if there is another administrator. */
const person = z.object({
  account: personAccount,
  /** Past and current sanctions, newest first. */
  warnings: z.array(adminWarning),
  reports_about: z.array(adminReport),
  reports_by: z.array(adminReport),
  /** Whether others see a placeholder instead of their name. */
  is_name_hidden: z.boolean(),
  dogs: z.array(personDog),
  /** The public ones alone. */
  locations: z.array(walkLocation.extend({ version: z.number().int() })),
  tips: z.array(locationTip.extend({ version: z.number().int() })),
  /** Texts that the word rules found, newest first, and no other messages. */
  flagged: z.array(logEntry),
});
export type Person = z.infer<typeof person>;

/** Returns a person's details for moderators. Opening a person is recorded in the audit log. */
export const getPerson = endpoint('GET', '/admin/people/:id', {
  access: 'admin',
  params: idParams,
  answer: person,
  failure: 'Failed to load the person',
});

/** Carries out an action on a person's name, picture or friend request. Sanctions, locations and tips have calls of their own. */
export const actOnPerson = endpoint('POST', '/admin/people/:id/acts', {
  access: 'admin',
  params: idParams,
  body: z.object({
    act: contentAct,
    reason: z.string().trim().max(REASON_MAX).nullable().default(null),
  }),
  failure: 'Failed to save the decision',
});

/** Returns any picture; its id is its key. Only moderators see copies in reports. */
export const getAdminPicture = endpoint('GET', '/admin/pictures/:id', {
  access: 'admin',
  params: z.object({ id: z.string().min(1).max(100) }),
  answer: z.instanceof(Uint8Array),
  stream: 'file',
  failure: 'Failed to load file',
});
