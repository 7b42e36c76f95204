import type { Db } from 'mongodb';
import type { Activity } from '#shared/push/contract.ts';
import type { PushChoices } from '#shared/push/document.ts';
import { endOfQuietHours } from '#shared/push/quiet-hours.ts';
import { ACTIVITY_DAYS } from '#shared/push/rules.ts';
import { batchCalls } from '#shared/server/batches.ts';
import type { Log } from '#shared/server/log.ts';
import { isWithinLifetime } from '#shared/session/rules.ts';
import { DAY_MS } from '#shared/time.ts';
import type { RegisterJob } from '../background-jobs.ts';
import type { Env } from '../env.ts';
import type { EventStreams } from '../events/event-streams.ts';
import { NotSent } from '../mail-queue/sender.ts';
import { QueueWorker } from '../mail-queue/worker.ts';
import { readTogether } from '../read-together.ts';
import { deleteDue } from '../retention.ts';
import { NOT_DELETED, sessions, users } from '../session/collections.ts';
import type { Documents } from '../sync-server-client.ts';
import { listActivities, noteActivities } from './activity.ts';
import { createChoices } from './choices.ts';
import {
  activities,
  KIND_OF,
  pushQueue,
  pushSubscriptions,
  type PushMessage,
  type PushQueueRow,
  type PushSubscriptionRow,
} from './collections.ts';
import type { Compose, PushNotice } from './notice.ts';
import { createPushSender, type PushSender } from './push-sender.ts';
import { isListed, isUrgent, LASTS_MS } from './topics.ts';
import { readVapidKeys, type VapidKeys } from './vapid-keys.ts';

/** Sends pushes to the devices of users who subscribed. */
export interface Push {
  keys(): Promise<VapidKeys>;
  /** Queues a push for each device of a user. May be repeated. */
  notify(notice: PushNotice): Promise<void>;
  /** Queues the pushes of several notices in the order of their causes. May be repeated. */
  notifyAll(notices: readonly PushNotice[]): Promise<void>;
  /** Returns what a user was told, the latest first. */
  activities(userId: string): Promise<Activity[]>;
  /** Sends what was held back because a device was believed to show the app. */
  release(subscriptionId: string): Promise<void>;
  /** Ends the belief that a device shows the app. */
  left(subscriptionId: string): Promise<void>;
  /**
   * Drops the pushes to all devices of a user about what one of them says that it showed.
   * @param keys of notices
   */
  dropShown(userId: string, keys: readonly string[]): Promise<void>;
  /** Yields the users with a device that receives pushes, in batches. */
  subscribers(): AsyncGenerator<string[]>;
}

interface Parts {
  /** Knows the texts of all features. */
  compose: Compose;
  env: Env;
  log: Log;
  db: Db;
  documents: Pick<Documents, 'read'>;
  /** Tells devices that show the list of activities. */
  events: Pick<EventStreams, 'send'>;
  registerJob: RegisterJob;
  onClose(run: () => void | Promise<void>): void;
}

const POLL_MS = 5_000;
/** How long pushes are gathered, whose rows are then read together. */
const GATHER_MS = 250;
/** One slow push service must not delay the others. */
const CONCURRENCY = 32;
/** How long sent pushes are remembered, so that a repeated cause sends nothing. */
const REMEMBERED_DAYS = 7;
const BATCH = 1_000;
/** Why a push waits: its device is believed to show the app. */
const TAKEN = 'app on the screen';
const REPLACED = 'replaced';
/** How many later pushes with the same tag are looked at. */
const NEWER_MAX = 20;

/** Opens the queue of pushes and starts sending. @param sender replaced in tests */
export function openPush(
  services: Parts,
  { now = Date.now, sender }: { now?: () => number; sender?: PushSender } = {},
): Push {
  const { compose, db, env, events, log, registerJob, onClose } = services;
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

  const worker = new QueueWorker<PushMessage>({
    rows: pushQueue(db),
    log,
    concurrency: CONCURRENCY,
    gatherMs: GATHER_MS,
    now,
    send: deliver,
    hasOptedOut: async () => false,
    // The push service says that the subscription has ended.
    async onOptOut({ subscription_id }) {
      await pushSubscriptions(db).deleteOne({ _id: subscription_id });
    },
    // An older one that waits for another try, or is composed elsewhere, must not come after it.
    withSent: ({ subscription_id, tag }, { _id, created_at }) => ({
      updateMany: {
        filter: {
          'message.subscription_id': subscription_id,
          'message.tag': tag,
          status: 'waiting',
          $or: [{ created_at: { $lt: created_at } }, { created_at, _id: { $lt: _id } }],
        },
        update: {
          $set: {
            status: 'dropped',
            settled_at: new Date(now()),
            lease: null,
            error_code: REPLACED,
          },
          $unset: { message: '' },
        },
      },
    }),
    // The device may have left the app before it was stored that the push waits.
    async onPostponed({ subscription_id }) {
      const subscription = await pushSubscriptions(db).findOne({ _id: subscription_id });
      if (subscription && !isVisible(subscription)) await release(subscription_id);
    },
  });

  const readChoices = createChoices(db, services.documents);
  const subscriptionOf = readTogether(db, pushSubscriptions(db));
  const userOf = readTogether(db, users(db), () => NOT_DELETED);
  const sessionOf = readTogether(db, sessions(db), () => ({
    revoked_at: null,
    expires_at: { $gt: new Date(now()) },
  }));

  async function release(subscriptionId: string): Promise<void> {
    const { modifiedCount } = await pushQueue(db).updateMany(
      {
        'message.subscription_id': subscriptionId,
        status: 'waiting',
        lease: null,
        error_code: TAKEN,
      },
      { $set: { due_at: new Date(now()) } },
    );
    if (modifiedCount > 0) sendDue();
  }

  async function deliver(message: PushMessage, row: PushQueueRow): Promise<null> {
    const { topic, user_id, subscription_id } = message;
    const [subscription, user, session, choicesOf] = await Promise.all([
      subscriptionOf(subscription_id),
      userOf(user_id),
      sessionOf(subscription_id),
      readChoices(user_id),
    ]);
    if (subscription?.user_id !== user_id || message.expires_at.getTime() <= now())
      throw unwanted('expired');
    // Its device has signed out.
    if (session?.user_id !== user_id || !user || !isWithinLifetime(session, user, new Date(now())))
      throw new NotSent('signed out', { isOptOut: true });
    const { keys, sender: send } = await open();
    if (subscription.public_key !== keys.publicKey)
      throw new NotSent('old key', { isOptOut: true });
    // Once: that the app is on the screen is a belief, and the service worker knows better.
    if (!isUrgent(topic) && isVisible(subscription) && row.error_code !== TAKEN)
      throw new NotSent(TAKEN, {
        isPostponed: true,
        retryAfterMs: subscription.visible_until.getTime() - now(),
      });
    const settings = await choicesOf(user);
    if (!settings[`push_${KIND_OF[topic]}`]) throw unwanted('turned off');
    const quietUntil = endOfQuietHours(new Date(now()), settings);
    if (quietUntil && !(isUrgent(topic) && settings.push_urgent_always)) {
      if (isUrgent(topic)) throw unwanted('quiet hours');
      throw new NotSent('quiet hours', {
        isPostponed: true,
        retryAfterMs: quietUntil.getTime() - now(),
      });
    }
    const content = await compose(services, message, settings);
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
        (await compose(services, message, settings))
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
    { isOrdered: false },
  );

  const timers = new Set<NodeJS.Timeout>();
  const sendDue = () =>
    void worker.run().catch((err: unknown) => log.warn({ err }, 'failed to send pushes'));
  function sendAfter(milliseconds: number): void {
    const timer = setTimeout(() => {
      timers.delete(timer);
      sendDue();
    }, milliseconds).unref();
    timers.add(timer);
  }
  onClose(async () => {
    for (const timer of timers) clearTimeout(timer);
    await worker.close();
  });
  // A node also sends what its own calls queue. The rest waits for a retry, or was left by a node that ended.
  registerJob('push queue', async () => sendDue(), { everyMs: POLL_MS });
  registerJob('pushes', async () => {
    const before = new Date(now() - REMEMBERED_DAYS * DAY_MS);
    await deleteDue(pushQueue(db), { settled_at: { $lt: before } });
    const old = new Date(now() - ACTIVITY_DAYS * DAY_MS);
    await deleteDue(activities(db), { at: { $lt: old } });
    await removeEndedSubscriptions(db, new Date(now()));
  });

  async function notifyAll(notices: readonly PushNotice[]): Promise<void> {
    if (notices.length === 0) return;
    await noteActivities(db, notices, new Date(now()));
    const listed = notices.filter(({ topic }) => isListed(topic));
    for (const userId of new Set(listed.map(({ user_id }) => user_id)))
      events.send(userId, { type: 'activity' });
    const users = [...new Set(notices.map(({ user_id }) => user_id))];
    const subscriptions = await pushSubscriptions(db)
      .find({ user_id: { $in: users } }, { projection: { _id: 1, user_id: 1 } })
      .toArray();
    // Once: the order of the pushes must not depend on how long this takes.
    const at = now();
    const rows = new Map<string, PushQueueRow>();
    /** By device and tag: how many later ones replace a push. */
    const later = new Map<string, number>();
    for (const notice of notices.toReversed())
      for (const { _id, user_id } of subscriptions) {
        if (user_id !== notice.user_id) continue;
        const replaced = `${_id} ${notice.tag}`;
        const count = later.get(replaced) ?? 0;
        later.set(replaced, count + 1);
        const row = queued(notice, _id, at, count);
        rows.set(row._id, row);
      }
    if (rows.size === 0) return;
    await pushQueue(db).bulkWrite(
      [...rows.values()].toReversed().map(({ _id, ...row }) => ({
        updateOne: { filter: { _id }, update: { $setOnInsert: row }, upsert: true },
      })),
      { ordered: false },
    );
    for (const delayMs of new Set(notices.map((notice) => notice.delayMs ?? 0))) sendAfter(delayMs);
  }

  return {
    keys: async () => (await open()).keys,
    notify: (notice) => notifyAll([notice]),
    notifyAll,
    activities: (userId) => listActivities({ db, env }, compose, userId),
    release,
    async left(subscriptionId) {
      const subscription = await subscriptionOf(subscriptionId);
      if (!subscription || !isVisible(subscription)) return;
      const { matchedCount } = await pushSubscriptions(db).updateOne(
        { _id: subscriptionId, visible_until: { $gt: new Date(now()) } },
        { $set: { visible_until: null } },
      );
      if (matchedCount > 0) await release(subscriptionId);
    },
    async dropShown(userId, keys) {
      if (keys.length === 0) return;
      await pushQueue(db).updateMany(
        { 'message.user_id': userId, 'message.key': { $in: [...keys] }, status: 'waiting' },
        {
          $set: {
            status: 'dropped',
            settled_at: new Date(now()),
            lease: null,
            error_code: 'shown in the app',
          },
          $unset: { message: '' },
        },
      );
    },
    async *subscribers() {
      let after = '';
      for (;;) {
        const rows = await pushSubscriptions(db)
          .find({ user_id: { $gt: after } }, { projection: { _id: 0, user_id: 1 } })
          .sort({ user_id: 1, created_at: 1 })
          .limit(BATCH)
          .toArray();
        if (rows.length === 0) return;
        const ids = rows.map(({ user_id }) => user_id);
        after = ids.at(-1) ?? '';
        yield [...new Set(ids)];
      }
    },
  };
}

/** @param later how many pushes of the same moment replace it */
const queued = (
  { topic, user_id, subject, key, tag, delayMs = 0 }: PushNotice,
  subscription_id: string,
  now: number,
  later: number,
): PushQueueRow => ({
  _id: `${key} ${subscription_id}`,
  channel: 'push',
  message: {
    channel: 'push',
    unsolicited: false,
    topic,
    user_id,
    subscription_id,
    subject,
    key,
    tag,
    expires_at: new Date(now + LASTS_MS[topic]),
  },
  status: 'waiting',
  attempts: 0,
  due_at: new Date(now + delayMs),
  lease: null,
  created_at: new Date(now - later),
  settled_at: null,
  provider_id: null,
  error_code: null,
});

const tagKey = (subscriptionId: string, tag: string) => `${subscriptionId} ${tag}`;

const unwanted = (reason: string) => new NotSent(reason, { isUnwanted: true });

/** Removes subscriptions whose session has expired; sign-outs remove theirs at once. */
async function removeEndedSubscriptions(db: Db, now: Date): Promise<void> {
  const due = await pushSubscriptions(db)
    .find({ check_at: { $lte: now } }, { projection: { _id: 1 } })
    .sort({ check_at: 1 })
    .limit(BATCH)
    .toArray();
  const ids = due.map(({ _id }) => _id);
  const live = await sessions(db)
    .find(
      { _id: { $in: ids }, revoked_at: null, expires_at: { $gt: now } },
      { projection: { _id: 1 } },
    )
    .toArray();
  const kept = new Set(live.map(({ _id }) => _id));
  await pushSubscriptions(db).deleteMany({ _id: { $in: ids.filter((id) => !kept.has(id)) } });
  await pushSubscriptions(db).updateMany(
    { _id: { $in: [...kept] } },
    { $set: { check_at: new Date(now.getTime() + DAY_MS) } },
  );
}
