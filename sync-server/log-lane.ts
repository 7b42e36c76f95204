import type { EventEmitter } from 'node:events';
import type { Socket } from 'node:net';
import type { Readable } from 'node:stream';
import { BSON, ObjectId, type Collection, type MongoClient } from 'mongodb';
import type { LogRow } from './database.ts';
import { LANE_MAX_BYTES } from './limits.ts';

/**
 * What of the MongoDB driver's insides is used here, and nowhere else: see docs/decisions/0036-a-lane-of-its-own-for-the-log.md.
 * The version is pinned, and tests/sync/log-lane.sync.test.ts fails when they move.
 */
interface DriverConnection extends EventEmitter {
  readonly socket: Socket;
  /** Whole messages of the wire protocol. */
  readonly messageStream: Readable;
  readonly closed: boolean;
  destroy(): void;
}

interface DriverPool {
  checkOut(options: {
    timeoutContext: { connectionCheckoutTimeout: null };
  }): Promise<DriverConnection>;
  checkIn(connection: DriverConnection): void;
}

interface DriverServer {
  readonly description: { readonly isWritable: boolean };
  readonly pool: DriverPool;
}

interface DriverInsides {
  topology?: { s: { servers: Map<string, DriverServer> } };
}

interface Lane {
  connection: DriverConnection;
  leave(): void;
}

const OP_MSG = 2013;
/** Length, request, what it answers, and code; flags; the kind of the one section. */
const BEFORE_BODY = 16 + 4 + 1;
const OPCODE_AT = 12;
const ANSWER_MS = 10_000;
const REOPEN_MS = 1000;

/**
 * Inserts records of the log over one of the driver's own connections, past the rest of the driver, which costs more
 * than all else that an append does. Whatever goes otherwise than well is done again in the driver's own way.
 */
export class LogLane {
  readonly #rows: Collection<LogRow>;
  readonly #client: MongoClient;
  #lane: Lane | null = null;
  #openedAt = -Infinity;
  #request = 0;

  /** @param rows a collection whose writes are durable when they return */
  constructor(client: MongoClient, rows: Collection<LogRow>) {
    this.#client = client;
    this.#rows = rows;
  }

  /** Whether the next insertion goes past the driver. */
  get isOpen(): boolean {
    return this.#lane !== null;
  }

  /**
   * Resolves when the records are durable. One call at a time.
   * @param bytes what they weigh, about
   * @throws when they may not be durable
   */
  async insert(records: LogRow[], bytes: number): Promise<void> {
    const lane = this.#lane;
    if (!lane) void this.#open();
    else if (bytes <= LANE_MAX_BYTES) {
      if (await this.#ask(lane, records)) return;
      lane.leave();
      // Those may be there or still come: taken in twice, changes are what they were.
      for (const record of records) record._id = new ObjectId();
    }
    await this.#rows.insertMany(records);
  }

  /** @returns whether MongoDB says that all of it is durable */
  #ask({ connection }: Lane, documents: LogRow[]): Promise<boolean> {
    const { collectionName, dbName, writeConcern } = this.#rows;
    const body = BSON.serialize({
      insert: collectionName,
      documents,
      ordered: true,
      writeConcern: { w: writeConcern?.w ?? 1, j: true },
      $db: dbName,
    });
    const message = Buffer.alloc(BEFORE_BODY + body.length);
    message.writeInt32LE(message.length, 0);
    message.writeInt32LE((this.#request = (this.#request + 1) & 0x7fffffff), 4);
    message.writeInt32LE(OP_MSG, OPCODE_AT);
    message.set(body, BEFORE_BODY);
    const { socket, messageStream } = connection;
    return new Promise((resolve) => {
      const settle = (isDurable: boolean) => {
        messageStream.off('data', answered);
        connection.off('close', closed);
        socket.setTimeout(0);
        resolve(isDurable);
      };
      const answered = (answer: Buffer) => settle(saysAllIsDurable(answer, documents.length));
      const closed = () => settle(false);
      if (connection.closed) return resolve(false);
      messageStream.on('data', answered);
      connection.on('close', closed);
      // The driver closes a connection whose socket times out.
      socket.setTimeout(ANSWER_MS);
      socket.write(message);
    });
  }

  /** Takes a connection for the next time, if there is a server to write to. */
  async #open(): Promise<void> {
    if (performance.now() - this.#openedAt < REOPEN_MS) return;
    this.#openedAt = performance.now();
    const { topology } = this.#client as unknown as DriverInsides;
    const servers = [...(topology?.s.servers.values() ?? [])];
    const pool = servers.find(({ description }) => description.isWritable)?.pool;
    if (!pool) return;
    try {
      const timeoutContext = { connectionCheckoutTimeout: null };
      const connection = await pool.checkOut({ timeoutContext });
      const leave = () => {
        if (this.#lane !== lane) return;
        this.#lane = null;
        connection.off('close', leave);
        // Nobody else is to meet an answer that comes late.
        connection.destroy();
        pool.checkIn(connection);
      };
      const lane = { connection, leave };
      this.#lane = lane;
      connection.on('close', leave);
      connection.messageStream.resume();
    } catch {
      // The driver's own way says what is wrong.
    }
  }
}

function saysAllIsDurable(answer: Buffer, count: number): boolean {
  if (answer.readInt32LE(OPCODE_AT) !== OP_MSG) return false;
  const { ok, n, writeErrors, writeConcernError } = BSON.deserialize(answer.subarray(BEFORE_BODY));
  return ok === 1 && n === count && !writeErrors && !writeConcernError;
}
