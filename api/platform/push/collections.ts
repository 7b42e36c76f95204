import type { Db } from 'mongodb';
import type { PushKind } from '#shared/push/contract.ts';
import type { Indexes } from '../database.ts';
import type { QueueRow } from '../mail-queue/collections.ts';

/** `push_keys`: the servers' VAPID keys, created once. */
export interface PushKeysRow {
  _id: 'vapid';
  /** An uncompressed P-256 point in base64url. */
  public_key: string;
  /** Encrypted: see vapid-keys.ts. */
  private_key: string;
  created_at: Date;
}

/** `push_subscriptions`: where a signed-in device receives pushes. */
export interface PushSubscriptionRow {
  /** The session of the device; the subscription ends with it. */
  _id: string;
  user_id: string;
  /** The secret address at the browser's push service. */
  endpoint: string;
  p256dh: string;
  auth: string;
  /** The VAPID key that the browser subscribed with. */
  public_key: string;
  created_at: Date;
  /** Until when the device is believed to show the app: pushes wait, at most until then. */
  visible_until: Date | null;
  /** The device numbers its reports; missing before the first one. */
  report_number?: number;
  /** When to check next whether the session still exists. */
  check_at: Date;
}

/** A pending push: its subject only, because its text is composed when it is sent and stored nowhere. */
export interface PushMessage {
  channel: 'push';
  unsolicited: false;
  topic: PushTopic;
  user_id: string;
  subscription_id: string;
  /**
   * The id of a message, friend request, alert, hazard, warning or planned walk, and who answered; of a walk, the time of the last
   * report in milliseconds.
   */
  subject: string;
  /** The same for the same cause, see `PushNotice`; missing in rows of earlier versions. */
  key?: string;
  /** A later push with the same tag replaces an earlier one. */
  tag: string;
  expires_at: Date;
}

/** What happened. */
export type PushTopic =
  | 'message'
  | 'friend_request'
  | 'friend_answer'
  | 'alert'
  | 'hazard'
  | 'moderation'
  | 'report'
  | 'walk'
  | 'invitation'
  | 'access'
  | 'walk_invitation'
  | 'walk_change'
  | 'walk_answer'
  | 'walk_reminder';

export const KIND_OF: Record<PushTopic, PushKind> = {
  message: 'messages',
  friend_request: 'friends',
  friend_answer: 'friends',
  alert: 'alerts',
  hazard: 'hazards',
  moderation: 'moderation',
  report: 'moderation',
  walk: 'walk',
  invitation: 'friends',
  access: 'moderation',
  walk_invitation: 'planned_walks',
  walk_change: 'planned_walks',
  walk_answer: 'planned_walks',
  walk_reminder: 'planned_walks',
};

/**
 * `activities`: what a user was told, or would have been with a subscribed device. As pushes, they have subjects only: the text is
 * composed when it is read.
 */
export interface ActivityRow {
  /** Follows from the user and the notice’s key. */
  _id: string;
  user_id: string;
  topic: PushTopic;
  subject: string;
  at: Date;
  is_read: boolean;
}

/** `push_queue`: pushes to send, one per device, and for a while those that were sent. */
export type PushQueueRow = QueueRow<PushMessage>;

export const pushKeys = (db: Db) => db.collection<PushKeysRow>('push_keys');
export const pushSubscriptions = (db: Db) =>
  db.collection<PushSubscriptionRow>('push_subscriptions');
export const pushQueue = (db: Db) => db.collection<PushQueueRow>('push_queue');

export const activities = (db: Db) => db.collection<ActivityRow>('activities');

export const pushIndexes: Indexes = {
  activities: [{ key: { user_id: 1, at: -1 } }, { key: { at: 1 } }],
  push_subscriptions: [
    { key: { user_id: 1, created_at: 1 } },
    { key: { endpoint: 1 } },
    { key: { check_at: 1 } },
  ],
  push_queue: [
    { key: { status: 1, due_at: 1 } },
    { key: { settled_at: 1 } },
    { key: { 'message.user_id': 1 }, sparse: true },
    { key: { 'message.subscription_id': 1, 'message.tag': 1, created_at: 1 }, sparse: true },
  ],
};
