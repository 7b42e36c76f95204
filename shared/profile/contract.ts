import { z } from 'zod';
import { endpoint } from '../endpoint.ts';

export const DISPLAY_NAME_MAX = 100;

export const profileFields = z.object({
  display_name: z.string().trim().min(1, 'Required').max(DISPLAY_NAME_MAX),
  /** Older clients send 0 and 1. */
  is_location_sharing_enabled: z
    .union([z.boolean(), z.literal(0), z.literal(1)])
    .transform((value) => Boolean(value)),
});
export type ProfileFields = z.output<typeof profileFields>;

export const profile = z.object({
  id: z.string(),
  user_id: z.string(),
  display_name: z.string(),
  is_location_sharing_enabled: z.boolean(),
  join_date: z.string(),
});
export type Profile = z.infer<typeof profile>;

export const getProfile = endpoint({
  method: 'GET',
  path: '/profile',
  access: 'member',
  answer: profile,
  failure: 'Failed to load user profile',
});

export const saveProfile = endpoint({
  method: 'POST',
  path: '/profile',
  access: 'member',
  body: profileFields,
  answer: profile,
  failure: 'Failed to create your user profile.',
});
