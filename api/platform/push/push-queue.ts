import type { Db } from 'mongodb';
import type { Activity } from '#shared/push/contract.ts';
import { ACTIVITY_DAYS } from '#shared/push/rules.ts';
import { batchCalls } from '#shared/server/batches.ts';
import type { Log } from '#shared/server/log.ts';
import { DAY_MS } from '#shared/time.ts';
import type { RegisterJob } from '../background-jobs.ts';
import type { EventStreams } from '../events/event-streams.ts';
import { QueueWorker } from '../mail-queue/worker.ts';
import { findTogether } from '../read-together.ts';
import { deleteDue } from '../retention.ts';
import { sessions } from '../session/collections.ts';
import { listActivities, noteActivities } from './activity.ts';
import {
  activities,
  pushQueue,
  pushSubscriptions,
  type PushMessage,
  type PushQueueRow,
  type PushSubscriptionRow,
} from './collections.ts';
import { createDelivery, type DeliveryParts, REPLACED, TAKEN } from './deliver-push.ts';
import type { PushNotice } from './notice.ts';
import type { PushSender } from './push-sender.ts';
import { isListed, LASTS_MS } from './topics.ts';
import type { VapidKeys } from './vapid-keys.ts';

/** Sends pushes to the devices of users who subscribed. */
export interface Push {
  keys(): Promise<VapidKeys>;
  /** Queues a push for each device of a user. May be repeated. */
  notify(notice: PushNotice): Promise<void>;
  /**
   * Queues the pushes of several notices in the order of their causes. May be repeated.
   * @param devices of their users, if they are known
   */
  notifyAll(notices: readonly PushNotice[], devices?: readonly PushDevice[]): Promise<void>;
  /** Returns the devices of these users that receive pushes, read with what else is read in this turn. */
  devicesOf(userIds: readonly string[]): Promise<PushDevice[]>;
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

type PushDevice = Pick<PushSubscriptionRow, '_id' | 'user_id'>;

interface Parts extends DeliveryParts {
  log: Log;
  /** Tells devices that show the list of activities. */
  events: Pick<EventStreams, 'send'>;
  registerJob: RegisterJob;
  onClose(run: () => void | Promise<void>): void;
}

const POLL_MS = 5_000;
/** How long pushes are gathered, whose rows are then read together. */
const GATHER_MS = 250;
/** How long devices are gathered that left: they are believed to show the app that much longer. */
const GATHER_LEFT_MS = 1_000;
/** One slow push service must not delay the others. */
const CONCURRENCY = 32;
/** How long sent pushes are remembered, so that a repeated cause sends nothing. */
const REMEMBERED_DAYS = 7;
const BATCH = 1_000;

/** Opens the queue of pushes and starts sending. @param sender replaced in tests */
export function openPush(
  services: Parts,
  { now = Date.now, sender }: { now?: () => number; sender?: PushSender } = {},
): Push {
  const { compose, db, env, events, log, registerJob, onClose } = services;
  const { open, deliver, isVisible } = createDelivery(services, { now, sender });
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

  const visibleAmong = createVisibleAmong(db, now);

  async function notifyAll(
    notices: readonly PushNotice[],
    known?: readonly PushDevice[],
  ): Promise<void> {
    if (notices.length === 0) return;
    await noteActivities(db, notices, new Date(now()));
    const listed = notices.filter(({ topic }) => isListed(topic));
    for (const userId of new Set(listed.map(({ user_id }) => user_id)))
      events.send(userId, { type: 'activity' });
    const users = [...new Set(notices.map(({ user_id }) => user_id))];
    const devices = known ?? (await devicesOf(db, users));
    // Once: the order of the pushes must not depend on how long this takes.
    const rows = queuedRows(notices, devices, now());
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
    devicesOf: (userIds) => devicesOf(db, userIds),
    activities: (userId) => listActivities({ db, env }, compose, userId),
    release,
    async left(subscriptionId) {
      if (!(await visibleAmong(subscriptionId)).has(subscriptionId)) return;
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
    subscribers: () => subscribers(db),
  };
}

/** Returns how to find which of the devices that left are believed to show the app: all of a moment together. */
const createVisibleAmong = (db: Db, now: () => number) =>
  batchCalls(
    async (ids: string[]) => {
      const filter = { _id: { $in: ids }, visible_until: { $gt: new Date(now()) } };
      const rows = pushSubscriptions(db).find(filter, { projection: { _id: 1 } });
      return new Set((await rows.toArray()).map(({ _id }) => _id));
    },
    { pauseMs: GATHER_LEFT_MS, holdsUpMs: 0 },
  );

const devicesOf = (db: Db, userIds: readonly string[]): Promise<PushDevice[]> =>
  findTogether(db, pushSubscriptions(db), () => ({
    filter: { user_id: { $in: [...userIds] } },
    projection: { user_id: 1 },
  }));

async function* subscribers(db: Db): AsyncGenerator<string[]> {
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
}

/** Returns the pushes of notices to these devices, by their ids. @param at the moment of all of them */
function queuedRows(
  notices: readonly PushNotice[],
  devices: readonly PushDevice[],
  at: number,
): Map<string, PushQueueRow> {
  const rows = new Map<string, PushQueueRow>();
  /** By device and tag: how many later ones replace a push. */
  const later = new Map<string, number>();
  for (const notice of notices.toReversed())
    for (const { _id, user_id } of devices) {
      if (user_id !== notice.user_id) continue;
      const replaced = `${_id} ${notice.tag}`;
      const count = later.get(replaced) ?? 0;
      later.set(replaced, count + 1);
      const row = queued(notice, _id, at, count);
      rows.set(row._id, row);
    }
  return rows;
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
