import type { ServerResponse } from 'node:http';
import type { ServerEvent } from '#shared/events/contract.ts';

/** One browser that listens. */
interface Stream {
  response: ServerResponse;
  /** Whether its session and access still stand. */
  isAllowed(): Promise<boolean>;
}

export interface MissedEvent {
  id: string;
  event: ServerEvent;
}

/** What a feature would have told somebody after the event with an id, oldest first. */
type Missed = (userId: string, afterId: string) => Promise<MissedEvent[]>;

/** A person's tabs and devices; one more closes the oldest. */
const STREAMS_PER_USER = 8;
/** What a browser that does not read may leave unread before it is let go; it comes back and resumes. */
const UNREAD_MAX_BYTES = 64 * 1024;
const HEARTBEAT_MS = 15_000;
const RETRY_MS = 2_000;

/** Everybody who listens to GET /api/events, here. */
export class EventStreams {
  readonly #byUser = new Map<string, Set<Stream>>();
  readonly #missed: Missed[] = [];
  readonly #heartbeat: NodeJS.Timeout;

  constructor(heartbeatMs = HEARTBEAT_MS) {
    this.#heartbeat = setInterval(() => this.#beat(), heartbeatMs).unref();
  }

  /** How many streams are open, of all users or of one. */
  count(userId?: string): number {
    if (userId !== undefined) return this.#byUser.get(userId)?.size ?? 0;
    let count = 0;
    for (const streams of this.#byUser.values()) count += streams.size;
    return count;
  }

  /**
   * Takes an answer over as a stream of events, until the browser leaves or may listen no more.
   * @param id where the browser is from now on: what it resumes after, should the first event be lost
   */
  open(userId: string, response: ServerResponse, id: string, isAllowed: Stream['isAllowed']): void {
    const stream: Stream = { response, isAllowed };
    const streams = this.#byUser.get(userId) ?? new Set();
    this.#byUser.set(userId, streams);
    const [oldest] = streams;
    if (oldest && streams.size >= STREAMS_PER_USER) this.#end(userId, oldest);
    this.#byUser.set(userId, streams.add(stream));
    const forget = () => this.#forget(userId, stream);
    response.on('close', forget);
    response.on('error', forget);
    response.writeHead(200, {
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store, no-transform',
      'x-accel-buffering': 'no',
    });
    this.#write(userId, stream, `retry: ${RETRY_MS}\nid: ${id}\ndata:\n\n`);
  }

  /** @param id where the event can be resumed after; events that are over at once have none */
  tell(userId: string, event: ServerEvent, id?: string): void {
    const streams = this.#byUser.get(userId);
    if (!streams) return;
    const text = eventText(event, id);
    for (const stream of streams) this.#write(userId, stream, text);
  }

  /** Sends to one browser only: what it missed. */
  catchUp(userId: string, response: ServerResponse, event: ServerEvent, id: string): void {
    for (const stream of this.#byUser.get(userId) ?? [])
      if (stream.response === response) this.#write(userId, stream, eventText(event, id));
  }

  /** What somebody missed since an id can be had from here, whenever one of their browsers resumes. */
  resumeFrom(missed: Missed): void {
    this.#missed.push(missed);
  }

  /** What somebody missed after the event with this id. */
  async missed(userId: string, afterId: string): Promise<MissedEvent[]> {
    return (await Promise.all(this.#missed.map((missed) => missed(userId, afterId)))).flat();
  }

  /** Closes the streams of a user that are no longer allowed. */
  recheck(userId: string): void {
    for (const stream of this.#byUser.get(userId) ?? []) void this.#check(userId, stream);
  }

  recheckAll(): void {
    for (const userId of this.#byUser.keys()) this.recheck(userId);
  }

  close(): void {
    clearInterval(this.#heartbeat);
    for (const [userId, streams] of this.#byUser)
      for (const stream of streams) this.#end(userId, stream);
  }

  #beat(): void {
    for (const [userId, streams] of this.#byUser)
      for (const stream of streams) {
        this.#write(userId, stream, ':\n\n');
        void this.#check(userId, stream);
      }
  }

  async #check(userId: string, stream: Stream): Promise<void> {
    // Where it cannot be told, the stream stays until it can.
    if (!(await stream.isAllowed().catch(() => true))) this.#end(userId, stream);
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
    const streams = this.#byUser.get(userId);
    streams?.delete(stream);
    if (streams?.size === 0) this.#byUser.delete(userId);
  }
}

const eventText = (event: ServerEvent, id?: string): string =>
  `${id === undefined ? '' : `id: ${id}\n`}event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`;
