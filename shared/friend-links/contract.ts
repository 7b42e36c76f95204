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

/**
 * Makes a code that the caller shows for one scan: it works once, and for a minute at most. Who scans it and the caller are
 * friends at once (decision 140).
 */
export const createLiveCode = endpoint('POST', '/friend-link/live', {
  access: 'member',
  answer: z.object({ live_code: z.object({ token, seconds: z.number().int() }) }),
  failure: 'Failed to load your QR code',
});

/** For all links that lead to no one: unknown, replaced, or of someone who can't be found. */
export const LINK_UNKNOWN = 'This QR code doesn’t work anymore';
export const OWN_LINK = 'This is your own QR code';

/** Finds the owner of a friend link, to send them a friend request. */
export const openFriendLink = endpoint('POST', '/friend-link/open', {
  access: 'member',
  body: z.object({
    token,
    /** The code that came with it, if it was shown for a scan. */
    live_code: token.optional(),
  }),
  answer: z.object({
    user_id: z.string(),
    /** Whether the live code is theirs and still works: `redeemLiveCode` makes a friendship of it. */
    is_live: z.boolean(),
  }),
  failure: 'Failed to open this QR code',
});

/** Makes the caller and whoever shows this live code friends. One that was used, or is older than a minute, leads to no one. */
export const redeemLiveCode = endpoint('POST', '/friend-link/befriend', {
  access: 'member',
  body: z.object({ token }),
  answer: z.object({ user_id: z.string(), display_name: z.string() }),
  failure: 'Failed to open this QR code',
});

/** What the owner of a friend link shows to a guest who opens it: who wants to walk with them. */
export const previewFriendLink = endpoint('POST', '/friend-link/preview', {
  access: 'public',
  body: z.object({ token }),
  answer: z.object({ display_name: z.string(), dog_names: z.array(z.string()) }),
  failure: 'Failed to open this QR code',
});

/** Returns who asks, as a guest reads it: 'Alex, Biscuit and Olive'. */
export function askers({
  display_name,
  dog_names,
}: z.output<typeof previewFriendLink.answer>): string {
  const all = [display_name, ...dog_names];
  return all.length === 1 ? display_name : `${all.slice(0, -1).join(', ')} and ${all.at(-1)}`;
}

/** The parameter of a shown code that has the live code: when that has ended, the link still leads to a request. */
const LIVE = 'now';

/** Returns the path of the page that a friend link opens. */
export const friendLinkPath = (each: string): string => FRIEND_LINK_PATH + each;

/** Returns the address in a QR code. @param liveCode of a code that is shown for a scan */
export const friendLinkUrl = (
  origin: string,
  { token: each }: FriendLink,
  liveCode: string | null = null,
): string =>
  `${origin}${FRIEND_LINK_PATH}${each}${liveCode === null ? '' : `?${LIVE}=${liveCode}`}`;

/** Returns the tokens of a friend link’s path; null for other paths. */
export function friendLinkOf(path: string): { token: string; live_code?: string } | null {
  const { pathname, searchParams } = new URL(path, 'https://localhost');
  if (!pathname.startsWith(FRIEND_LINK_PATH)) return null;
  const link = token.safeParse(pathname.slice(FRIEND_LINK_PATH.length));
  if (!link.success) return null;
  const live = token.safeParse(searchParams.get(LIVE));
  return { token: link.data, ...(live.success && { live_code: live.data }) };
}

/** Returns the path of the page that a scanned text opens; null if it isn't a friend link of this site. */
export function scannedPath(text: string, origin: string): string | null {
  if (!URL.canParse(text)) return null;
  const url = new URL(text);
  const path = url.pathname + url.search;
  return url.origin === origin && friendLinkOf(path) ? path : null;
}
