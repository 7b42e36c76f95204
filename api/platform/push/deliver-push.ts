import type { Db } from 'mongodb';
import type { PushChoices } from '#shared/push/document.ts';
import { endOfQuietHours } from '#shared/push/quiet-hours.ts';
import { batchCalls } from '#shared/server/batches.ts';
import type { UserRow } from '#shared/server/collections.ts';
import { isWithinLifetime } from '#shared/session/rules.ts';
import type { Env } from '../env.ts';
import { NotSent } from '../mail-queue/sender.ts';
import { readTogether } from '../read-together.ts';
import { NOT_DELETED, sessions, users } from '../session/collections.ts';
import type { Documents } from '../sync-server-client.ts';
import { createChoices } from './choices.ts';
import {
  KIND_OF,
  pushQueue,
  pushSubscriptions,
  type PushMessage,
  type PushQueueRow,
  type PushSubscriptionRow,
} from './collections.ts';
import type { Compose } from './notice.ts';
import { createPushSender, type PushSender } from './push-sender.ts';
import { isUrgent } from './topics.ts';
import { readVapidKeys, type VapidKeys } from './vapid-keys.ts';

/** Why a push waits: its device is believed to show the app. */
export const TAKEN = 'app on the screen';
export const REPLACED = 'replaced';
/** How many later pushes with the same tag are looked at. */
const NEWER_MAX = 20;

export interface DeliveryParts {
  /** Knows the texts of all features. */
  compose: Compose;
  env: Env;
  db: Db;
  documents: Pick<Documents, 'read'>;
}

const tagKey = (subscriptionId: string, tag: string) => `${subscriptionId} ${tag}`;

const unwanted = (reason: string) => new NotSent(reason, { isUnwanted: true });
const signedOut = () => new NotSent('signed out', { isOptOut: true });

/** @throws when there is no such user */
async function choicesOf(
  reading: Promise<UserRow | null>,
  choices: Promise<(user: UserRow) => Promise<PushChoices>>,
): Promise<PushChoices> {
  const [user, choicesFor] = await Promise.all([reading, choices]);
  if (!user) throw signedOut();
  return choicesFor(user);
}

/** Creates what sends a push, unless it is no longer wanted by then. @param sender replaced in tests */
export function createDelivery(
  services: DeliveryParts,
  { now, sender }: { now: () => number; sender: PushSender | undefined },
) {
  const { compose, db, env } = services;
  let opened: Promise<{ keys: VapidKeys; sender: PushSender }> | null = null;
  const open = () => {
    opened ??= readVapidKeys(db, env)
      .then((keys) => ({
        keys,
        sender:
          sender ??
          createPushSender(keys, env.vapid.subject, {
            services: env.pushServices,
            allowLoopback: env.hasSandbox,
          }),
      }))
      .catch((error: unknown) => {
        opened = null;
        throw error;
      });
    return opened;
  };

  const readChoices = createChoices(db, services.documents);
  const subscriptionOf = readTogether(db, pushSubscriptions(db));
  const userOf = readTogether(db, users(db), () => NOT_DELETED);
  const sessionOf = readTogether(db, sessions(db), () => ({
    revoked_at: null,
    expires_at: { $gt: new Date(now()) },
  }));

  async function deliver(message: PushMessage, row: PushQueueRow): Promise<null> {
    const { topic, user_id, subscription_id } = message;
    const subscribing = subscriptionOf(subscription_id);
    const reading = userOf(user_id);
    const choosing = choicesOf(reading, readChoices(user_id));
    // Most pushes that are due are sent, so what they show is read with the rest.
    const composing = compose(services, message, choosing);
    for (const each of [subscribing, choosing, composing]) each.catch(() => {});
    const [subscription, user, session] = await Promise.all([
      subscribing,
      reading,
      sessionOf(subscription_id),
    ]);
    if (subscription?.user_id !== user_id || message.expires_at.getTime() <= now())
      throw unwanted('expired');
    // Its device has signed out.
    if (session?.user_id !== user_id || !user || !isWithinLifetime(session, user, new Date(now())))
      throw signedOut();
    const { keys, sender: send } = await open();
    if (subscription.public_key !== keys.publicKey)
      throw new NotSent('old key', { isOptOut: true });
    // Once: that the app is on the screen is a belief, and the service worker knows better.
    if (!isUrgent(topic) && isVisible(subscription) && row.error_code !== TAKEN)
      throw new NotSent(TAKEN, {
        isPostponed: true,
        retryAfterMs: subscription.visible_until.getTime() - now(),
      });
    const settings = await choosing;
    if (!settings[`push_${KIND_OF[topic]}`]) throw unwanted('turned off');
    const quietUntil = endOfQuietHours(new Date(now()), settings);
    if (quietUntil && !(isUrgent(topic) && settings.push_urgent_always)) {
      if (isUrgent(topic)) throw unwanted('quiet hours');
      throw new NotSent('quiet hours', {
        isPostponed: true,
        retryAfterMs: quietUntil.getTime() - now(),
      });
    }
    const content = await composing;
    if (!content) throw unwanted('no longer true');
    if (await isReplaced(message, row, settings)) throw unwanted(REPLACED);
    await send.send(subscription, {
      content,
      ttlSeconds: Math.ceil((message.expires_at.getTime() - now()) / 1000),
      urgency: isUrgent(topic) ? 'high' : 'normal',
    });
    return null;
  }

  const isVisible = (
    row: PushSubscriptionRow,
  ): row is PushSubscriptionRow & { visible_until: Date } =>
    row.visible_until !== null && row.visible_until.getTime() > now();

  /** Whether a push that is due, too, will replace this one: one that is still true. Or one that was sent has. */
  async function isReplaced(
    { subscription_id, tag }: PushMessage,
    { _id, created_at }: PushQueueRow,
    settings: PushChoices,
  ): Promise<boolean> {
    const same = (await dueNow({ subscription_id, tag })).get(tagKey(subscription_id, tag)) ?? [];
    const isSettled = same.length < NEWER_MAX && !same.some((row) => row._id === _id);
    if (isSettled) return true;
    const at = created_at.getTime();
    const newer = same.filter((row) => {
      const after = row.created_at.getTime() - at;
      return after > 0 || (after === 0 && row._id > _id);
    });
    for (const { message } of newer)
      if (
        message &&
        settings[`push_${KIND_OF[message.topic]}`] &&
        (await compose(services, message, Promise.resolve(settings)))
      )
        return true;
    return false;
  }

  /** The latest pushes with each of these tags that are due or being sent. */
  const dueNow = batchCalls(
    async (wanted: Pick<PushMessage, 'subscription_id' | 'tag'>[]) => {
      const values = (name: 'subscription_id' | 'tag') => ({
        $in: [...new Set(wanted.map((each) => each[name]))],
      });
      const found = await pushQueue(db)
        .aggregate<{ rows: PushQueueRow[] }>([
          {
            $match: {
              'message.subscription_id': values('subscription_id'),
              'message.tag': values('tag'),
              $or: [{ due_at: { $lte: new Date(now()) } }, { lease: { $ne: null } }],
            },
          },
          { $sort: { created_at: -1, _id: -1 } },
          {
            $group: {
              _id: { subscription_id: '$message.subscription_id', tag: '$message.tag' },
              rows: { $firstN: { input: '$$ROOT', n: NEWER_MAX } },
            },
          },
        ])
        .toArray();
      return new Map(
        found.map(({ rows }) => {
          const { subscription_id, tag } = rows[0]!.message!;
          return [tagKey(subscription_id, tag), rows];
        }),
      );
    },
    { holdsUpMs: 0 },
  );

  return { open, deliver, isVisible };
}
