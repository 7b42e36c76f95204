import { setTimeout as wait } from 'node:timers/promises';
import type { Logger } from 'pino';
import { z } from 'zod';
import type { Bus } from '#shared/bus/bus.ts';
import { newId } from '#shared/ids.ts';
import type { SignalRow } from '#shared/server/collections.ts';
import type { Database } from '../core/database.ts';
import type { Verification } from './verification.ts';

/** A node without the bus carries out an order within a second, or stops acknowledging and forwarding: see `Verification`. */
const ANSWER_MS = 1_500;
/** How often answers in the database are looked for. */
const LOOK_MS = 100;
const HEARTBEAT_MS = 1_000;
/** Nobody waits for a node that has not been seen for this long. */
const AWAY_MS = 5_000;
/** A node that has not been seen for this long has crashed. */
const CRASHED_MS = 15_000;
/** By the clock of the database: a node whose own clock is wrong is neither forgotten nor forgets others. */
const SEEN = [{ $set: { seen_at: '$$NOW', done: { $ifNull: ['$done', []] } } }];
const notSeenFor = (ms: number) => ({ $lt: ['$seen_at', { $subtract: ['$$NOW', ms] }] });
const REMEMBERED_MAX = 200;
const ORDERS_SUBJECT = 'document-orders';

const userIds = z.array(z.string());
const order = z.union([
  /** The permissions of `changed` to a document changed; those of `users` may have. */
  z.object({ is: z.literal('permission'), document: z.string(), changed: userIds, users: userIds }),
  z.object({ is: z.literal('removed'), document: z.string(), users: userIds }),
  z.object({ is: z.literal('disconnect'), session_id: z.string() }),
  z.object({ is: z.literal('disconnect'), user_id: z.string() }),
  /** Any permissions may have changed without an order. */
  z.object({ is: z.literal('check') }),
]);
/** What all nodes do after something changed in MongoDB. */
export type NodeOrder = z.infer<typeof order>;

const envelope = z.object({ id: z.string(), from: z.string(), order });
const answer = z.object({ id: z.string(), node: z.string() });

interface Host {
  database: Pick<Database, 'syncNodes' | 'signals'>;
  bus: Bus;
  verification: Verification;
  logger: Logger;
  /** The id of this node. */
  node: string;
  /** Carries out an order of another node. May be repeated. */
  carryOut(order: NodeOrder): Promise<void>;
  /** Finishes the work of a node that crashed, before all nodes check their permissions. May be repeated. */
  takeOver(node: string): Promise<void>;
  /** Runs work, unless another node is doing it. */
  alone(work: string, run: () => Promise<void>): Promise<void>;
}

/** The nodes that have not answered an order yet. */
class Missing {
  readonly nodes: Set<string>;
  readonly #all = new AbortController();

  constructor(nodes: Iterable<string>) {
    this.nodes = new Set(nodes);
  }

  /** Aborted when there are none. */
  get allAnswered(): AbortSignal {
    return this.#all.signal;
  }

  answered(node: string): void {
    this.nodes.delete(node);
    if (this.nodes.size === 0) this.#all.abort();
  }
}

/**
 * Makes changes of permissions, removals and disconnections take effect on all nodes before the call that made them is answered. The
 * bus carries them fast; the signals in MongoDB carry them to nodes without the bus.
 */
export class NodeOrders {
  readonly #host: Host;
  /** Orders that this node carried out or is carrying out. */
  readonly #done = new Map<string, Promise<void>>();
  /** The nodes that have not answered yet, by order. */
  readonly #waiting = new Map<string, Missing>();
  readonly #stopListening: (() => void)[];
  #timer: NodeJS.Timeout | null = null;
  #beating: Promise<void> = Promise.resolve();
  /** That takes longer than a heartbeat on a busy machine, and a second one would keep it busy. */
  #takingOver: Promise<void> | null = null;
  /** Whether an order may not have reached the other nodes. */
  #isCheckDue = false;

  constructor(host: Host) {
    this.#host = host;
    const { bus, node } = host;
    this.#stopListening = [
      bus.subscribe(ORDERS_SUBJECT, (message) => void this.#receive(envelope.parse(message), true)),
      bus.subscribe(`${ORDERS_SUBJECT}.${node}`, (message) => {
        const { id, node: from } = answer.parse(message);
        this.#waiting.get(id)?.answered(from);
      }),
    ];
  }

  /** Registers this node. @throws when the database cannot be written */
  async start(): Promise<void> {
    await this.#beat();
    await this.#takingOver;
    this.#timer = setInterval(() => {
      this.#beating = this.#beat().catch((error: unknown) =>
        this.#host.logger.warn({ err: error }, 'failed to register this node'),
      );
    }, HEARTBEAT_MS);
  }

  /** @param isFinished whether everything of this node is stored and projected; otherwise, another node finishes it */
  async stop(isFinished: boolean): Promise<void> {
    if (this.#timer) clearInterval(this.#timer);
    for (const stop of this.#stopListening) stop();
    await this.#beating;
    await this.#takingOver;
    const { database, logger, node } = this.#host;
    if (!isFinished) return;
    await database.syncNodes
      .deleteOne({ _id: node })
      .catch((error: unknown) => logger.warn({ err: error }, 'failed to unregister this node'));
  }

  /** Returns the ids of the other nodes that run. */
  async others(): Promise<string[]> {
    const rows = await this.#host.database.syncNodes
      .find({ _id: { $ne: this.#host.node }, $expr: { $not: notSeenFor(AWAY_MS) } })
      .project<{ _id: string }>({ _id: 1 })
      .toArray();
    return rows.map(({ _id }) => _id);
  }

  /**
   * Sends an order to all other nodes.
   * @returns when all have carried it out, or those that have not acknowledge and forward nothing before they do
   * @throws when the database cannot be written
   */
  async send(sent: NodeOrder): Promise<void> {
    const { database, bus, node } = this.#host;
    const id = newId();
    const message = { id, from: node, order: sent };
    const missing = new Missing(await this.others());
    const signal: SignalRow = { topic: 'documents', user_id: node, order: message, at: new Date() };
    this.#waiting.set(id, missing);
    bus.publish(ORDERS_SUBJECT, message);
    try {
      await database.signals.insertOne(signal);
      const end = performance.now() + ANSWER_MS;
      while (missing.nodes.size > 0 && performance.now() < end) {
        // An answer on the bus ends the pause.
        await wait(LOOK_MS, undefined, { signal: missing.allAnswered }).catch(() => {});
        if (missing.nodes.size === 0) break;
        for (const each of await this.#answersInDatabase(id, missing.nodes)) missing.answered(each);
      }
    } catch (error) {
      this.#isCheckDue = true;
      throw error;
    } finally {
      this.#waiting.delete(id);
    }
  }

  async #answersInDatabase(id: string, nodes: ReadonlySet<string>): Promise<string[]> {
    const rows = await this.#host.database.syncNodes
      .find({ _id: { $in: [...nodes] }, done: id }, { projection: { _id: 1 } })
      .toArray();
    return rows.map(({ _id }) => _id);
  }

  /** Takes an order from the signals. */
  async take(message: unknown): Promise<void> {
    const parsed = envelope.safeParse(message);
    if (parsed.success) await this.#receive(parsed.data, false);
  }

  async #receive(message: z.infer<typeof envelope>, isFromBus: boolean): Promise<void> {
    const { database, bus, node, verification, logger } = this.#host;
    const { id, from } = message;
    if (from === node) return;
    const known = this.#done.get(id);
    const done = known ?? verification.require(() => this.#host.carryOut(message.order));
    if (!known) {
      this.#done.set(id, done);
      const [oldest] = this.#done.keys();
      if (this.#done.size > REMEMBERED_MAX) this.#done.delete(oldest!);
    }
    await done;
    if (isFromBus) return bus.publish(`${ORDERS_SUBJECT}.${from}`, { id, node });
    if (known && bus.isConnected()) return;
    await database.syncNodes
      .updateOne({ _id: node }, { $push: { done: { $each: [id], $slice: -REMEMBERED_MAX } } })
      .catch((error: unknown) => logger.warn({ err: error }, 'failed to answer an order'));
  }

  async #beat(): Promise<void> {
    const { database, node, logger } = this.#host;
    await database.syncNodes.updateOne({ _id: node }, SEEN, { upsert: true });
    if (this.#isCheckDue) {
      this.#isCheckDue = false;
      await this.send({ is: 'check' });
    }
    this.#takingOver ??= this.#takeOverCrashed()
      .catch((error: unknown) =>
        logger.warn({ err: error }, 'failed to finish the work of a node that crashed'),
      )
      .finally(() => {
        this.#takingOver = null;
      });
  }

  async #takeOverCrashed(): Promise<void> {
    const { database, logger, alone, carryOut, takeOver } = this.#host;
    const crashed = await database.syncNodes.findOne({ $expr: notSeenFor(CRASHED_MS) });
    if (!crashed) return;
    await alone('take-over', async () => {
      logger.warn({ node: crashed._id }, 'a node crashed; finishing its work');
      await takeOver(crashed._id);
      // It may have changed permissions and not sent the order.
      await carryOut({ is: 'check' });
      await this.send({ is: 'check' });
      await database.syncNodes.deleteOne({ _id: crashed._id, seen_at: crashed.seen_at });
    });
  }
}
