import { z } from 'zod';
import { endpoint } from '../endpoint.ts';

export const currentUser = z.object({
  id: z.string(),
  email: z.string(),
  given_name: z.string(),
  name: z.string(),
  picture: z.string().nullable(),
  is_admin: z.boolean(),
  /** When the access grant ends; null without one. Admins always have access. */
  access_expires_at: z.iso.datetime().nullable(),
  has_access: z.boolean(),
  /** `automerge:` URLs of the user's own documents. */
  documents: z.object({ card: z.string(), account: z.string(), contacts: z.string() }),
  /**
   * Those that they replaced, oldest first: a device may have one with changes that the server never got (decision 392). Older servers
   * don't send them.
   */
  former_documents: z
    .object({
      card: z.array(z.string()),
      account: z.array(z.string()),
      contacts: z.array(z.string()).default([]),
    })
    .optional(),
});
export type CurrentUser = z.infer<typeof currentUser>;

export const redirectUrl = endpoint('GET', '/oauth/google/redirect_url', {
  access: 'public',
  query: z.object({
    login_hint: z.string().max(320).optional(),
    /** Asks the provider not to continue silently: for a sign-in that confirms who is there. */
    again: z.stringbool().optional(),
  }),
  answer: z.object({ redirectUrl: z.string(), is_sandbox: z.boolean() }),
  failure: 'Failed to get login redirect URL',
});

export const createSession = endpoint('POST', '/sessions', {
  access: 'public',
  body: z.object({
    code: z
      .string({
        error: 'Cannot exchange code for session token: no code provided in the URL search params.',
      })
      .min(1, 'Cannot exchange code for session token: no code provided in the URL search params.')
      .max(2048, 'Invalid input'),
    state: z.string().max(512).optional(),
  }),
  /** `has_profile`: whether the setup is done. Older servers don't send it. */
  answer: z.object({ user: currentUser, has_profile: z.boolean().optional() }),
  failure: 'Failed to exchange code for session token',
});

export const me = endpoint('GET', '/users/me', {
  isAtStart: true,
  access: 'signed-in',
  answer: currentUser,
  failure: 'Failed to fetch user',
});

export const logout = endpoint('GET', '/logout', {
  access: 'public',
  failure: 'Failed to logout',
});
