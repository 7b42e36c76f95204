import { z } from 'zod';
import { dog } from '../dogs/contract.ts';
import { endpoint, HEAVY_READ } from '../endpoint.ts';
import { imageUpload } from '../files/contract.ts';
import { idParams } from '../form-fields.ts';
import { plainName } from '../invisible-characters.ts';
import { DISPLAY_NAME_MAX, ABOUT_MAX } from './rules.ts';

export const nameFields = z.object({
  display_name: z
    .string()
    .transform(plainName)
    .pipe(z.string().min(1, 'Required').max(DISPLAY_NAME_MAX)),
});
export type NameFields = z.output<typeof nameFields>;

/** A line that owners write about themselves; null is none. */
export const aboutFields = z.object({
  about: z
    .string()
    .transform(plainName)
    .pipe(z.string().max(ABOUT_MAX))
    .transform((about) => about || null)
    .nullable(),
});
export type AboutFields = z.output<typeof aboutFields>;

export const sharingFields = z.object({
  /** A number counts as a boolean. */
  is_location_sharing_enabled: z
    .union([z.boolean(), z.number()])
    .transform((value) => Boolean(value)),
});
export type SharingFields = z.output<typeof sharingFields>;

export const profileFields = nameFields
  .extend(sharingFields.shape)
  .extend(aboutFields.partial().shape);
export type ProfileFields = z.output<typeof profileFields>;

export const profile = z.object({
  id: z.string(),
  user_id: z.string(),
  display_name: z.string(),
  is_location_sharing_enabled: z.boolean(),
  join_date: z.string(),
  /** The photo's key; rows from before it existed lack it, as they lack the line. */
  image_key: z.string().nullable().optional(),
  about: z.string().nullable().optional(),
});
export type Profile = z.infer<typeof profile>;

export const getProfile = endpoint('GET', '/profile', {
  access: 'member',
  answer: profile,
  failure: 'Failed to load user profile',
});

export const saveProfile = endpoint('POST', '/profile', {
  access: 'member',
  body: profileFields,
  answer: profile,
  failure: 'Failed to create your user profile.',
});

export const uploadProfileImage = endpoint('POST', '/profile/image', {
  access: 'member',
  upload: imageUpload,
  answer: z.object({ image_key: z.string() }),
  failure: 'Failed to upload image',
});

/** The relationship of a user to the caller. */
const friendshipStatus = z.enum(['none', 'pending_sent', 'pending_received', 'friends', 'blocked']);
export type FriendshipStatus = z.infer<typeof friendshipStatus>;

export const fullProfile = profile.extend({
  /** Only in the caller's own profile. For others it is always false, because it would reveal when they walk. */
  is_location_sharing_enabled: z.boolean(),
  dogs: z.array(dog),
  /** The relationship to the caller; 'none' for the caller's own profile. */
  friendship_status: friendshipStatus,
  /**
   * The number of mutual friends. Null unless they are friends or this person sent a request, because it would reveal
   * friendships to strangers.
   */
  mutual_friends_count: z.number().int().nullable(),
  /** Their ids, which are friends of the caller: whose names the caller knows. Null as the number is. */
  mutual_friend_ids: z.array(z.string()).nullable().optional(),
});
export type FullProfile = z.infer<typeof fullProfile>;

export const getFullProfile = endpoint('GET', '/profile/full', {
  limit: HEAVY_READ,
  access: 'member',
  answer: fullProfile,
  failure: 'Failed to load user profile',
});

/** A user who blocked the caller is not found. */
export const getUserProfile = endpoint('GET', '/users/:id/profile', {
  access: 'member',
  params: idParams,
  answer: fullProfile,
  failure: 'Failed to load user profile',
});
