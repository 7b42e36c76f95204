import type { Db, Collection } from 'mongodb';
import { newId } from '#shared/ids.ts';
import type { Log } from '#shared/server/log.ts';
import { DAY_MS } from '#shared/time.ts';
import type { RegisterJob } from '../background-jobs.ts';
import { insertIfAbsent } from '../database.ts';
import type { Env } from '../env.ts';
import { deleteDue } from '../retention.ts';
import {
  type QueueRow,
  sandboxSent,
  queuedMail,
  optOuts,
  type SandboxSentRow,
} from './collections.ts';
import { addressId, type Channel, type Message, type Posting } from './messages.ts';
import { NotSent, type Sender } from './sender.ts';
import { smtpSender } from './smtp.ts';
import { twilioSender } from './twilio.ts';
import { QueueWorker } from './worker.ts';

const STORED_MAX = 200;

/** Stores messages instead of sending them, each once. */
function createSandboxSender(sent: Collection<SandboxSentRow>): Sender {
  return {
    async send(message, key) {
      await sent.updateOne(
        { _id: key },
        { $setOnInsert: { message, at: new Date() } },
        { upsert: true },
      );
      const last = await sent.find().sort({ at: -1 }).skip(STORED_MAX).limit(1).next();
      if (last) await sent.deleteMany({ at: { $lte: last.at } });
      return `sandbox ${newId()}`;
    },
  };
}

/** Sends emails and text messages. */
export interface MailQueue {
  /** Channels whose messages the sandbox stores instead of sending them. */
  sandboxChannels: Channel[];
  /** Whether messages of a channel can be sent here. */
  canSend(channel: Channel): boolean;
  /** Opens a collection whose rows cause messages. A background job queues what a crash left in the rows. */
  from(collection: string): Posts;
  hasOptedOut(channel: Channel, to: string): Promise<boolean>;
  /** Stops unsolicited messages to an address. @param id its `addressId` */
  optOut(channel: Channel, id: string): Promise<void>;
}

/** The messages that rows of one collection cause. `statusOf`, `recall` and `withdraw` are about a row's first message. */
export interface Posts {
  /** Queues and sends a row's message, if it has one. Does not fail: a background job queues what this could not. */
  post(rowId: string): Promise<void>;
  /** The status of the rows' messages, except old ones. */
  statusOf(rowIds: string[]): Promise<Map<string, QueueRow['status']>>;
  /** Withdraws a message unless a try to send it has begun. May be repeated. @returns whether it will never be sent */
  recall(rowId: string): Promise<boolean>;
  /** Deletes messages, sent or not. */
  withdraw(rowIds: string[]): Promise<void>;
}

interface MailQueueParts {
  env: Env;
  log: Log;
  db: Db;
  registerJob: RegisterJob;
  onClose(run: () => void | Promise<void>): void;
}

const POLL_MS = 5_000;
const RETENTION_DAYS = 60;
const UNSENT_DAYS = 7;
const SANDBOX_DAYS = 30;

/** Opens the mail queue and starts sending due messages. */
export function openMailQueue({ env, log, db, registerJob, onClose }: MailQueueParts): MailQueue {
  const senders = sendersOf(env, db);
  const worker = new QueueWorker<Message>({
    rows: queuedMail(db),
    log,
    async send(message, { _id: key }) {
      const sender = senders.of(message.channel);
      // Queued before the provider was turned off: it waits until the provider is back.
      if (!sender) throw new NotSent(`no ${message.channel} here`);
      return sender.send(message, key);
    },
    hasOptedOut: ({ channel, to }) => hasOptedOut(channel, to),
    onOptOut: ({ channel, to }) => optOut(channel, addressId(channel, to)),
  });
  const sendDue = () =>
    worker.run().catch((err: unknown) => log.warn({ err }, 'failed to process the mail queue'));
  onClose(async () => {
    await worker.close();
    senders.close();
  });
  // A node also sends what its own calls queue, at once. The rest waits for a retry, or was left by a node that ended.
  registerJob('mail queue', async () => void sendDue(), { everyMs: POLL_MS });
  registerJob('old mail', async () => {
    const before = (days: number) => ({ $lt: new Date(Date.now() - days * DAY_MS) });
    await deleteDue(queuedMail(db), { settled_at: before(RETENTION_DAYS) });
    // The provider has been off for long.
    await deleteDue(queuedMail(db), { status: 'waiting', created_at: before(UNSENT_DAYS) });
    await deleteDue(sandboxSent(db), { at: before(SANDBOX_DAYS) });
  });

  async function hasOptedOut(channel: Channel, to: string): Promise<boolean> {
    return (await optOuts(db).findOne({ _id: addressId(channel, to) })) !== null;
  }
  async function optOut(channel: Channel, id: string): Promise<void> {
    await insertIfAbsent(optOuts(db), { _id: id, channel, at: new Date() });
  }

  function openPosts(name: string): Posts {
    const collection = db.collection<Posting>(name);
    const keyOf = (rowId: string) => `${name} ${rowId}`;

    async function queue({ _id, post }: Posting): Promise<void> {
      if (!post) return;
      const { message, at } = post;
      await insertIfAbsent(queuedMail(db), {
        _id: post.name ? `${keyOf(_id)} ${post.name}` : keyOf(_id),
        channel: message.channel,
        message,
        status: 'waiting',
        attempts: 0,
        due_at: at,
        lease: null,
        created_at: at,
        settled_at: null,
        provider_id: null,
        error_code: null,
      });
      // Unless the row has its next message by now.
      await collection.updateOne({ _id, 'post.at': at }, { $unset: { post: '' } });
    }
    async function queueFrom(rowId: string): Promise<void> {
      const row = await collection.findOne({ _id: rowId });
      if (row) await queue(row);
    }
    registerJob(`queue ${name}`, async () => {
      for await (const row of collection.find({ 'post.at': { $exists: true } })) await queue(row);
      void sendDue();
    });

    return {
      async post(rowId) {
        await queueFrom(rowId).catch((err: unknown) =>
          log.warn({ err, collection: name }, 'a message will be queued later'),
        );
        void sendDue();
      },
      async statusOf(rowIds) {
        const rows = queuedMail(db).find(
          { _id: { $in: rowIds.map(keyOf) } },
          { projection: { status: 1 } },
        );
        const statuses = new Map<string, QueueRow['status']>();
        for await (const { _id, status } of rows) statuses.set(_id.slice(name.length + 1), status);
        return statuses;
      },
      async recall(rowId) {
        await queueFrom(rowId);
        const _id = keyOf(rowId);
        await queuedMail(db).updateOne(
          { _id, status: 'waiting', attempts: 0 },
          { $set: { status: 'recalled', settled_at: new Date() }, $unset: { message: '' } },
        );
        return (await queuedMail(db).findOne({ _id }))?.status === 'recalled';
      },
      async withdraw(rowIds) {
        const keys = { _id: { $in: rowIds.map(keyOf) } };
        await queuedMail(db).deleteMany(keys);
        await sandboxSent(db).deleteMany(keys);
      },
    };
  }

  const opened = new Map<string, Posts>();
  return {
    sandboxChannels: senders.sandboxChannels,
    canSend: (channel) => senders.of(channel) !== null,
    hasOptedOut,
    optOut,
    from(name) {
      const posts = opened.get(name) ?? openPosts(name);
      opened.set(name, posts);
      return posts;
    },
  };
}

/** The configured providers; without one, the sandbox where it is allowed, or none. */
function sendersOf({ mail: { smtp, twilio }, hasSandbox }: Env, db: Db) {
  const sandbox = hasSandbox ? createSandboxSender(sandboxSent(db)) : null;
  const mail = smtp && smtpSender(smtp);
  const senders: Record<Channel, Sender | null> = {
    email: mail ?? sandbox,
    sms: twilio ? twilioSender(twilio) : sandbox,
  };
  return {
    of: (channel: Channel) => senders[channel],
    sandboxChannels: (['email', 'sms'] as const).filter(
      (channel) => sandbox && senders[channel] === sandbox,
    ),
    close: () => mail?.close(),
  };
}
