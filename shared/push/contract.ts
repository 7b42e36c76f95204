import { z } from 'zod';
import { endpoint, HEAVY_READ } from '../endpoint.ts';
import { SHOWN_MAX } from './rules.ts';

/** The topics of pushes. */
export const PUSH_KINDS = [
  'messages',
  'friends',
  'alerts',
  'hazards',
  'moderation',
  'walk',
  'planned_walks',
] as const;
export type PushKind = (typeof PUSH_KINDS)[number];

/** Something that happened to the caller, as a push says it: the text is what is true now. */
export const activity = z.object({
  id: z.string(),
  kind: z.enum(PUSH_KINDS),
  /** What exactly happened, such as 'friend_request'. The server’s last release didn’t say; a later one may say more. */
  topic: z.string().optional(),
  title: z.string(),
  body: z.string(),
  /** The page about it: a path of the app. */
  path: z.string(),
  /** When the caller was told of it. */
  told_at: z.iso.datetime(),
  is_read: z.boolean(),
});
export type Activity = z.infer<typeof activity>;

/** What happened to the caller in the last 30 days, the latest first. What is over, such as an answered request, is left out. */
export const listActivity = endpoint('GET', '/activity', {
  isAtStart: true,
  access: 'member',
  limit: HEAVY_READ,
  answer: z.object({ activity: z.array(activity) }),
  failure: 'Failed to load your activity',
});

/** An event: the list of what happened to the listener has changed. */
export const activityEvent = z.object({ type: z.literal('activity') });

/** Notes that the caller has read what they were told until then, on all devices. */
export const readActivity = endpoint('POST', '/activity/read', {
  access: 'member',
  body: z.object({ until: z.iso.datetime() }),
  failure: 'Failed to save what you’ve read',
});

/** A device's subscription at its browser's push service, as the Push API serializes it. */
export const pushSubscription = z.object({
  /** The push service's secret address of this browser. */
  endpoint: z.url().max(2_000),
  keys: z.object({
    /** The device's public key: an uncompressed P-256 point in base64url. */
    p256dh: z.string().regex(/^[\w-]{86,88}=?$/),
    /** 16 random bytes in base64url. */
    auth: z.string().regex(/^[\w-]{22}(==)?$/),
  }),
});

/** The key with which browsers subscribe: the servers sign every push with its private half (VAPID, RFC 8292). */
export const getPushKey = endpoint('GET', '/push/key', {
  isAtStart: true,
  access: 'signed-in',
  answer: z.object({
    public_key: z.string(),
    /** Whether the caller's device has a subscription. */
    is_subscribed: z.boolean(),
  }),
  failure: 'Failed to load notifications',
});

/** Subscribes the caller's device in place of an earlier subscription of it. */
export const subscribeToPush = endpoint('POST', '/push/subscription', {
  access: 'signed-in',
  body: pushSubscription,
  failure: 'Failed to turn on notifications',
});

/** Unsubscribes the caller's device. */
export const unsubscribeFromPush = endpoint('DELETE', '/push/subscription', {
  access: 'signed-in',
  failure: 'Failed to turn off notifications',
});

/** The keys of notices that a page can show: they connect what a device showed with the push about it. */
export const noticeKey = {
  friendRequest: (requestId: string): string => `friend-request ${requestId}`,
  hazard: (userId: string, hazardId: string): string => `hazard ${userId} ${hazardId}`,
};

/**
 * Reports whether the caller's device shows the app now, and what it showed. While it shows the app, pushes to it wait; those about
 * what it showed are dropped.
 */
export const reportVisibility = endpoint('POST', '/push/visibility', {
  access: 'signed-in',
  isOfTheMoment: true,
  body: z.object({
    is_visible: z.boolean(),
    /** Rises with each report of a device, because a report may overtake an earlier one. Apps of the last release send none. */
    number: z.number().int().nonnegative().optional(),
    /** Keys of notices that were on the screen since the last report. */
    shown: z.array(z.string().max(200)).max(SHOWN_MAX).default([]),
  }),
  failure: 'Failed to update notifications',
});

/** The content of a push, encrypted for the device. */
export const pushContent = z.object({
  kind: z.enum(PUSH_KINDS),
  title: z.string(),
  body: z.string(),
  /** A later notification with the same tag replaces an earlier one. */
  tag: z.string(),
  /** The page that a tap opens: a path of the app. */
  path: z.string().regex(/^\/(?!\/)/),
  /** Whether it stays until it is dismissed, and alerts again when it replaces another. */
  is_urgent: z.boolean(),
  /** Of an unprotected walk: when the last position came, in milliseconds. */
  silent_since: z.number().optional(),
});
export type PushContent = z.infer<typeof pushContent>;
