import { z } from 'zod';
import { endpoint } from '../endpoint.ts';

/** Path of the page that a friend link opens, before its token. */
const FRIEND_LINK_PATH = '/people/add/';

const token = z
  .string()
  .min(1)
  .max(64)
  .regex(/^[\w-]+$/);

export const friendLink = z.object({
  /** Random, and no one else's. Everyone who has it may find its owner. */
  token: z.string(),
  created_at: z.iso.datetime(),
});
export type FriendLink = z.infer<typeof friendLink>;

/** The caller's friend link, which is made at the first call. */
export const getFriendLink = endpoint('GET', '/friend-link', {
  access: 'member',
  answer: z.object({ friend_link: friendLink }),
  failure: 'Failed to load your QR code',
});

/** Replaces the caller's friend link. The one before stops working. */
export const renewFriendLink = endpoint('POST', '/friend-link/renew', {
  access: 'member',
  answer: z.object({ friend_link: friendLink }),
  failure: 'Failed to replace your QR code',
});

/** For all links that lead to no one: unknown, replaced, or of someone who can't be found. */
export const LINK_UNKNOWN = 'This QR code doesn’t work anymore';
export const OWN_LINK = 'This is your own QR code';

/** Finds the owner of a friend link, to send them a friend request. */
export const openFriendLink = endpoint('POST', '/friend-link/open', {
  access: 'member',
  body: z.object({ token }),
  answer: z.object({ user_id: z.string() }),
  failure: 'Failed to open this QR code',
});

/** Returns the address in a QR code. */
export const friendLinkUrl = (origin: string, { token: each }: FriendLink): string =>
  `${origin}${FRIEND_LINK_PATH}${each}`;

/** Returns the path of the page that a scanned text opens; null if it isn't a friend link of this site. */
export function scannedPath(text: string, origin: string): string | null {
  if (!URL.canParse(text)) return null;
  const url = new URL(text);
  const isLink =
    url.origin === origin &&
    url.pathname.startsWith(FRIEND_LINK_PATH) &&
    token.safeParse(url.pathname.slice(FRIEND_LINK_PATH.length)).success;
  return isLink ? url.pathname : null;
}
