import type { Collection, Db } from 'mongodb';
import { DAY_MS } from '#shared/time.ts';
import { isDuplicate } from '../database.ts';
import type { Env } from '../env.ts';
import type { Log } from '../log.ts';
import { addressId, type Channel, type Message, type Posting } from './messages.ts';
import { deleteDue } from '../retention.ts';
import { NotSent, type Sender } from './sender.ts';
import { smtpSender } from './smtp.ts';
import { createSandboxSender } from './sandbox.ts';
import { twilioSender } from './twilio.ts';
import { OutboxWorker } from './worker.ts';
import { type OutboxRow, sandboxSent, mailQueue, optOuts } from './collections.ts';

/** Letters and text messages on their way out. */
export interface Outbox {
  /** Channels for which a stand-in keeps what would be sent. */
  sandboxChannels: Channel[];
  /** Whether messages of a channel can be sent here. */
  canSend(channel: Channel): boolean;
  /** Makes a collection one whose rows cause messages. What a crash left in them is fetched by a sweep. */
  from(collection: string): Posts;
  hasOptedOut(channel: Channel, to: string): Promise<boolean>;
  /** Notes that whoever has this address, by its `addressId`, wants nothing that was not asked for. */
  optOut(channel: Channel, id: string): Promise<void>;
}

/** The messages that rows of one collection cause. What asks for them, or takes them back, means the first of a row. */
export interface Posts {
  /** Takes the message out of a row that carries one, and sends it. May be repeated. */
  post(rowId: string): Promise<void>;
  /** Where those of rows are; none of what was long ago. */
  statusOf(rowIds: string[]): Promise<Map<string, OutboxRow['status']>>;
  /** Keeps a message back that nobody has tried to send yet. May be repeated. @returns whether it will never go out */
  recall(rowId: string): Promise<boolean>;
  /** Forgets them, sent or not. */
  withdraw(rowIds: string[]): Promise<void>;
}

interface OutboxParts {
  env: Env;
  log: Log;
  db: Db;
  sweep(name: string, run: () => Promise<unknown>): void;
  onClose(run: () => void | Promise<void>): void;
}

const LOOK_EVERY_MS = 5_000;
const RETENTION_DAYS = 60;
const UNSENT_DAYS = 7;
const SANDBOX_DAYS = 30;

/** Opens the outbox, and sends what is due from now on. */
export function openOutbox({ env, log, db, sweep, onClose }: OutboxParts): Outbox {
  const senders = sendersOf(env, db);
  const worker = new OutboxWorker({
    rows: mailQueue(db),
    log,
    async send(message, key) {
      const sender = senders.of(message.channel);
      // Taken in before the provider was switched off; it waits for its return.
      if (!sender) throw new NotSent(`no ${message.channel} here`);
      return sender.send(message, key);
    },
    isRefused: ({ channel, to }) => hasOptedOut(channel, to),
    onOptOut: ({ channel, to }) => optOut(channel, addressId(channel, to)),
  });
  const look = () =>
    worker.run().catch((err: unknown) => log.warn({ err }, 'failed to process the mail queue'));
  const timer = setInterval(() => void look(), LOOK_EVERY_MS);
  onClose(async () => {
    clearInterval(timer);
    await worker.close();
    senders.close();
  });
  void look();
  sweep('outbox', async () => {
    const before = (days: number) => ({ $lt: new Date(Date.now() - days * DAY_MS) });
    await deleteDue(mailQueue(db), { settled_at: before(RETENTION_DAYS) });
    // Nobody sends it here any more.
    await deleteDue(mailQueue(db), { status: 'waiting', created_at: before(UNSENT_DAYS) });
    await deleteDue(sandboxSent(db), { at: before(SANDBOX_DAYS) });
  });

  async function hasOptedOut(channel: Channel, to: string): Promise<boolean> {
    return (await optOuts(db).findOne({ _id: addressId(channel, to) })) !== null;
  }
  async function optOut(channel: Channel, id: string): Promise<void> {
    const $setOnInsert = { channel, at: new Date() };
    await optOuts(db).updateOne({ _id: id }, { $setOnInsert }, { upsert: true });
  }

  const collections = new Map<string, Posts>();
  return {
    sandboxChannels: senders.sandboxChannels,
    canSend: (channel) => senders.of(channel) !== null,
    hasOptedOut,
    optOut,
    from(name) {
      const known = collections.get(name);
      if (known) return known;
      const collection = db.collection<Posting>(name);
      const keyOf = (rowId: string) => `${name} ${rowId}`;
      async function takeFrom({ _id, post }: Posting): Promise<void> {
        if (!post) return;
        const key = post.name ? `${keyOf(_id)} ${post.name}` : keyOf(_id);
        await takeIn(mailQueue(db), key, post.message, post.at);
        // Unless the row has got its next one meanwhile.
        await collection.updateOne({ _id, 'post.at': post.at }, { $unset: { post: '' } });
      }
      sweep(`queue ${name}`, async () => {
        for await (const row of collection.find({ 'post.at': { $exists: true } }))
          await takeFrom(row);
        void look();
      });
      async function take(rowId: string): Promise<void> {
        const row = await collection.findOne({ _id: rowId });
        if (row) await takeFrom(row);
      }
      const posts: Posts = {
        async post(rowId) {
          await take(rowId);
          void look();
        },
        async statusOf(rowIds) {
          const rows = mailQueue(db).find(
            { _id: { $in: rowIds.map(keyOf) } },
            { projection: { status: 1 } },
          );
          const statuses = new Map<string, OutboxRow['status']>();
          for await (const { _id, status } of rows)
            statuses.set(_id.slice(name.length + 1), status);
          return statuses;
        },
        async recall(rowId) {
          await take(rowId);
          const _id = keyOf(rowId);
          await mailQueue(db).updateOne(
            { _id, status: 'waiting', attempts: 0 },
            { $set: { status: 'recalled', settled_at: new Date() }, $unset: { message: '' } },
          );
          return (await mailQueue(db).findOne({ _id }))?.status === 'recalled';
        },
        async withdraw(rowIds) {
          const keys = { _id: { $in: rowIds.map(keyOf) } };
          await mailQueue(db).deleteMany(keys);
          await sandboxSent(db).deleteMany(keys);
        },
      };
      collections.set(name, posts);
      return posts;
    },
  };
}

async function takeIn(
  outbox: Collection<OutboxRow>,
  key: string,
  message: Message,
  at: Date,
): Promise<void> {
  try {
    await outbox.insertOne({
      _id: key,
      channel: message.channel,
      message,
      status: 'waiting',
      attempts: 0,
      due_at: at,
      lease: null,
      created_at: at,
      settled_at: null,
      provider_id: null,
      trouble: null,
    });
  } catch (error) {
    // It is there already: whoever took it in had no time left to say so.
    if (!isDuplicate(error)) throw error;
  }
}

/** What is configured; else the sandbox; else, where it is not allowed, nothing. */
function sendersOf({ outbox: { smtp, twilio }, hasSandbox }: Env, db: Db) {
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
