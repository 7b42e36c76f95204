import type { ServerResponse } from 'node:http';
import type { ServerEvent } from '#shared/events/contract.ts';

/** The connection of one browser tab. */
interface Stream {
  response: ServerResponse;
  /** Whether its session and access are still valid. */
  isAllowed(): Promise<boolean>;
}

export interface MissedEvent {
  id: string;
  event: ServerEvent;
}

/** Returns the events of a feature for a user after an event id, oldest first. */
type MissedSource = (userId: string, afterId: string) => Promise<MissedEvent[]>;

/** The number of tabs and devices per user; another one closes the oldest. */
const STREAMS_PER_USER = 8;
/** A browser with more unread data is disconnected. It reconnects and resumes. */
const UNREAD_MAX_BYTES = 64 * 1024;
const HEARTBEAT_MS = 15_000;
const RETRY_MS = 2_000;

/** The streams of GET /api/events on this node. */
export class EventStreams {
  readonly #byUser = new Map<string, Set<Stream>>();
  readonly #missedSources: MissedSource[] = [];
  readonly #heartbeat: NodeJS.Timeout;

  constructor(heartbeatMs = HEARTBEAT_MS) {
    this.#heartbeat = setInterval(() => this.#sendHeartbeats(), heartbeatMs).unref();
  }

  /** Returns the number of open streams, of all users or of one. */
  count(userId?: string): number {
    if (userId !== undefined) return this.#byUser.get(userId)?.size ?? 0;
    let count = 0;
    for (const streams of this.#byUser.values()) count += streams.size;
    return count;
  }

  /**
   * Turns a response into a stream of events, until the browser disconnects or loses its access.
   * @param id the event id after which the browser resumes if it disconnects before the first event
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

  /** Sends an event to all streams of a user. @param id lets browsers resume after the event; events that are not repeated have none */
  send(userId: string, event: ServerEvent, id?: string): void {
    const streams = this.#byUser.get(userId);
    if (!streams) return;
    const text = eventText(event, id);
    for (const stream of streams) this.#write(userId, stream, text);
  }

  /** Sends an event that one browser missed. */
  catchUp(userId: string, response: ServerResponse, event: ServerEvent, id: string): void {
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
    clearInterval(this.#heartbeat);
    for (const [userId, streams] of this.#byUser)
      for (const stream of streams) this.#end(userId, stream);
  }

  #sendHeartbeats(): void {
    for (const [userId, streams] of this.#byUser)
      for (const stream of streams) {
        this.#write(userId, stream, ':\n\n');
        void this.#check(userId, stream);
      }
  }

  async #check(userId: string, stream: Stream): Promise<void> {
    // While the check fails, the stream stays open.
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
