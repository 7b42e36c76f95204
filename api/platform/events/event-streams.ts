import type { ServerResponse } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { z } from 'zod';
import type { Bus } from '#shared/bus/bus.ts';
import { serverEvent, type ServerEvent } from '#shared/events/contract.ts';
import type { Signals } from '#shared/server/signals.ts';

/** The connection of one browser tab. */
interface Stream {
  response: ServerResponse;
  /** Returns when to check its session and access again if nothing changes; null if they ended. */
  check(): Promise<Date | null>;
  /** When they are checked next without a signal. */
  checkAt: Date;
  /** A check that is running: resolves to whether it succeeded and they last. */
  checking: Promise<boolean> | null;
  /** One per stream: writing to thousands at the same moment would delay everything else. */
  heartbeat?: NodeJS.Timeout;
}

/** The number of tabs and devices per user; another one closes the oldest. */
const STREAMS_PER_USER = 8;
/** A browser with more unread data is disconnected. It reconnects and resumes. */
const UNREAD_MAX_BYTES = 64 * 1024;
const HEARTBEAT_MS = 15_000;
const RETRY_MS = 2_000;
/** How long an event waits until this node can read again whose sessions have ended. */
const UNVERIFIED_MAX_MS = 2_000;
/** What a node knows of sessions that end. */
type Freshness = Pick<Signals, 'isFresh' | 'whenFresh'>;
const ALWAYS_FRESH: Freshness = { isFresh: () => true, whenFresh: () => Promise.resolve() };

/** How an event is sent. */
export interface SendOptions {
  /** Lets browsers resume after the event; events that are not repeated have none. */
  id?: string;
  /** Events of a user with the same key within `seconds` are one event that several nodes send: only the first is delivered. */
  once?: { key: string; seconds: number };
}

export interface MissedEvent extends SendOptions {
  id: string;
  event: ServerEvent;
}

/** Returns the events of a feature for a user after an event id, oldest first. */
type MissedSource = (userId: string, afterId: string) => Promise<MissedEvent[]>;

const busEvent = z.object({
  event: serverEvent,
  id: z.string().optional(),
  once: z.object({ key: z.string(), seconds: z.number() }).optional(),
});

/** Sends events to the streams of GET /api/events: to those on this node, and over the bus to those on other nodes. */
export class EventStreams {
  readonly #bus: Bus;
  readonly #signals: Freshness;
  readonly #byUser = new Map<string, Set<Stream>>();
  readonly #unsubscribe = new Map<string, () => void>();
  /** By user and key of an event that was delivered: until when it must not be delivered again, in monotonic milliseconds. */
  readonly #delivered = new Map<string, number>();
  readonly #missedSources: MissedSource[] = [];
  readonly #heartbeatMs: number;
  readonly #cleaning: NodeJS.Timeout;
  readonly #now: () => number;

  /**
   * @param now returns milliseconds of a monotonic clock
   * @param signals report the sessions that end; without them, nothing is delivered
   */
  constructor(
    bus: Bus,
    { heartbeatMs = HEARTBEAT_MS, now = () => performance.now(), signals = ALWAYS_FRESH } = {},
  ) {
    this.#bus = bus;
    this.#signals = signals;
    this.#now = now;
    this.#heartbeatMs = heartbeatMs;
    this.#cleaning = setInterval(() => this.#forgetDelivered(), heartbeatMs).unref();
  }

  /** Returns the number of open streams on this node, of all users or of one. */
  count(userId?: string): number {
    if (userId !== undefined) return this.#byUser.get(userId)?.size ?? 0;
    let count = 0;
    for (const streams of this.#byUser.values()) count += streams.size;
    return count;
  }

  /**
   * Turns a response into a stream of events, until the browser disconnects or loses its access.
   * @param id the event id after which the browser resumes if it disconnects before the first event
   * @param check called after a signal about the user, and when it said
   */
  open(userId: string, response: ServerResponse, id: string, check: Stream['check']): void {
    // They may have ended since the request was let in.
    const stream: Stream = { response, check, checkAt: new Date(), checking: null };
    const streams = this.#byUser.get(userId) ?? new Set();
    this.#byUser.set(userId, streams);
    const [oldest] = streams;
    if (oldest && streams.size >= STREAMS_PER_USER) this.#end(userId, oldest);
    this.#byUser.set(userId, streams.add(stream));
    if (!this.#unsubscribe.has(userId))
      this.#unsubscribe.set(
        userId,
        this.#bus.subscribe(subjectOf(userId), (message) => {
          const { event, ...options } = busEvent.parse(message);
          this.deliver(userId, event, options);
        }),
      );
    const forget = () => this.#forget(userId, stream);
    response.on('close', forget);
    response.on('error', forget);
    response.writeHead(200, {
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store, no-transform',
      'x-accel-buffering': 'no',
    });
    const beat = () => this.#sendHeartbeat(userId, stream);
    stream.heartbeat = setInterval(beat, this.#heartbeatMs).unref();
    this.#write(userId, stream, `retry: ${RETRY_MS}\nid: ${id}\ndata:\n\n`);
  }

  /** Returns the users with streams on this node. */
  userIds(): Iterable<string> {
    return this.#byUser.keys();
  }

  /** Sends an event to all streams of a user, on all nodes. */
  send(userId: string, event: ServerEvent, options: SendOptions = {}): void {
    this.deliver(userId, event, options);
    this.#bus.publish(subjectOf(userId), { event, ...options });
  }

  /** Sends an event to the streams of a user on this node only. */
  deliver(userId: string, event: ServerEvent, { id, once }: SendOptions = {}): void {
    const streams = this.#byUser.get(userId);
    if (!streams) return;
    if (!this.#signals.isFresh()) return void this.#deliverLater(userId, event, { id, once });
    if (once && this.#isDelivered(userId, once)) return;
    const text = eventText(event, id);
    for (const stream of streams)
      if (stream.checking) void this.#writeIfAllowed(userId, stream, text, stream.checking);
      else this.#write(userId, stream, text);
  }

  async #writeIfAllowed(
    userId: string,
    stream: Stream,
    text: string,
    checking: Promise<boolean>,
  ): Promise<void> {
    if (await checking) this.#write(userId, stream, text);
    else this.#end(userId, stream);
  }

  /**
   * Delivers an event when the sessions of its streams can be verified. If that takes too long, the streams end: their browsers
   * connect to a node with MongoDB, and resume there.
   */
  async #deliverLater(userId: string, event: ServerEvent, options: SendOptions): Promise<void> {
    const isFresh = this.#signals.whenFresh().then(() => true);
    const isVerified = await Promise.race([
      isFresh,
      wait(UNVERIFIED_MAX_MS, false, { ref: false }),
    ]);
    for (const stream of this.#byUser.get(userId) ?? [])
      if (isVerified) void this.#check(userId, stream);
      else this.#end(userId, stream);
    this.deliver(userId, event, options);
  }

  /** Whether an event was delivered before; if not, it counts as delivered now. */
  #isDelivered(userId: string, { key, seconds }: { key: string; seconds: number }): boolean {
    const name = `${userId} ${key}`;
    const now = this.#now();
    if ((this.#delivered.get(name) ?? 0) > now) return true;
    this.#delivered.set(name, now + seconds * 1000);
    return false;
  }

  /** Sends an event that one browser missed. */
  catchUp(userId: string, response: ServerResponse, { event, id, once }: MissedEvent): void {
    if (once) this.#isDelivered(userId, once);
    for (const stream of this.#byUser.get(userId) ?? [])
      if (stream.response === response) this.#write(userId, stream, eventText(event, id));
  }

  /** Adds a source of missed events for browsers that resume. */
  resumeFrom(source: MissedSource): void {
    this.#missedSources.push(source);
  }

  /** Returns the events that a user missed after an event id. */
  async missed(userId: string, afterId: string): Promise<MissedEvent[]> {
    return (await Promise.all(this.#missedSources.map((source) => source(userId, afterId)))).flat();
  }

  /** Closes the streams of a user that are no longer allowed. */
  recheck(userId: string): void {
    for (const stream of this.#byUser.get(userId) ?? []) void this.#check(userId, stream);
  }

  recheckAll(): void {
    for (const userId of this.#byUser.keys()) this.recheck(userId);
  }

  close(): void {
    clearInterval(this.#cleaning);
    for (const [userId, streams] of this.#byUser)
      for (const stream of streams) this.#end(userId, stream);
  }

  #forgetDelivered(): void {
    const now = this.#now();
    for (const [name, until] of this.#delivered) if (until <= now) this.#delivered.delete(name);
  }

  #sendHeartbeat(userId: string, stream: Stream): void {
    this.#write(userId, stream, ':\n\n');
    if (stream.checkAt <= new Date()) void this.#check(userId, stream);
  }

  /** Events wait for the check. While it fails, the stream stays open as long as there are none. */
  async #check(userId: string, stream: Stream): Promise<void> {
    const running = stream.check().then(
      (checkAt) => {
        if (checkAt) stream.checkAt = checkAt;
        else this.#end(userId, stream);
        return checkAt !== null;
      },
      () => false,
    );
    stream.checking = running;
    await running;
    if (stream.checking === running) stream.checking = null;
  }

  #write(userId: string, { response }: Stream, text: string): void {
    if (response.writableEnded || response.destroyed) return;
    response.write(text);
    if (response.writableLength <= UNREAD_MAX_BYTES) return;
    response.destroy();
  }

  #end(userId: string, stream: Stream): void {
    this.#forget(userId, stream);
    stream.response.end();
  }

  #forget(userId: string, stream: Stream): void {
    clearInterval(stream.heartbeat);
    const streams = this.#byUser.get(userId);
    streams?.delete(stream);
    if (streams?.size !== 0) return;
    this.#byUser.delete(userId);
    this.#unsubscribe.get(userId)?.();
    this.#unsubscribe.delete(userId);
  }
}

const subjectOf = (userId: string): string => `events.${userId}`;

const eventText = (event: ServerEvent, id?: string): string =>
  `${id === undefined ? '' : `id: ${id}\n`}event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`;
