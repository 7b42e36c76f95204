import { createParser } from 'eventsource-parser';
import { backoffMs } from '#shared/backoff.ts';
import { events, serverEvent, type ServerEvent } from '#shared/events/contract.ts';
import { pathOf } from '../http/api-client.ts';
import { readAnswer } from '../http/read-answer.ts';

/** The server sends a comment every 15 s; a stream that is silent for this long is dead, even if the socket is open. */
const SILENT_MS = 25_000;
/** A younger connection isn't replaced. */
const YOUNG_MS = 5_000;
const RETRY_MS = { first: 1_000, longest: 30_000 };

export interface EventsOptions {
  onEvent: (event: ServerEvent) => void;
  fetch?: typeof fetch;
  /** From 0 to 1; spreads the retries of many clients. */
  random?: () => number;
}

/**
 * Receives GET /api/events until closed: resumes after the last event, and reconnects after every loss with a
 * growing delay. (EventSource gives up at the first error response and forgets the last event ID.)
 */
export class Events {
  readonly #options: EventsOptions;
  #lastId: string | null = null;
  #failures = 0;
  #startedAt = 0;
  #receivedAt = 0;
  /** The current connection is being replaced at once. */
  #isHurried = false;
  #connection: AbortController | null = null;
  #silenceTimer: ReturnType<typeof setTimeout> | undefined;
  #retry: ReturnType<typeof setTimeout> | undefined;
  #isOver = false;

  constructor(options: EventsOptions) {
    this.#options = options;
    void this.#connect();
  }

  /**
   * Reconnects now, unless the connection is known to work.
   * @param silentSince a connection that received something after this time stays; in milliseconds since 1970, Infinity
   * to replace any connection
   */
  hurry(silentSince: number): void {
    if (this.#isOver) return;
    this.#failures = 0;
    clearTimeout(this.#retry);
    if (!this.#connection) return void this.#connect();
    const isYoung = Math.abs(Date.now() - this.#startedAt) < YOUNG_MS && silentSince < Infinity;
    if (isYoung || this.#receivedAt >= silentSince) return;
    this.#isHurried = true;
    this.#connection.abort();
  }

  close(): void {
    this.#isOver = true;
    clearTimeout(this.#retry);
    clearTimeout(this.#silenceTimer);
    this.#connection?.abort();
  }

  async #connect() {
    const connection = new AbortController();
    this.#connection = connection;
    try {
      await this.#receive(connection);
    } catch {
      // Retried below, whether lost or rejected.
    }
    clearTimeout(this.#silenceTimer);
    connection.abort();
    this.#connection = null;
    if (this.#isOver) return;
    if (this.#isHurried) {
      this.#isHurried = false;
      return void this.#connect();
    }
    const wait = backoffMs(RETRY_MS, this.#failures++, this.#options.random?.());
    this.#retry = setTimeout(() => void this.#connect(), wait);
  }

  async #receive(connection: AbortController) {
    const headers: Record<string, string> = { accept: 'text/event-stream' };
    if (this.#lastId !== null) headers['last-event-id'] = this.#lastId;
    this.#startedAt = Date.now();
    this.#restartSilenceTimer(connection);
    const send = this.#options.fetch ?? fetch;
    const response = await send(pathOf(events), {
      headers,
      cache: 'no-store',
      credentials: 'same-origin',
      signal: connection.signal,
    });
    if (!response.ok || !response.body) return;
    const parser = createParser({
      onEvent: ({ id, data }) => {
        if (this.#isOver) return;
        this.#lastId = id ?? this.#lastId;
        const event = readAnswer(serverEvent, parse(data));
        if (event) this.#options.onEvent(event.answer);
      },
    });
    this.#receivedAt = Date.now();
    const decoder = new TextDecoder();
    const reader = response.body.getReader();
    for (let chunk = await reader.read(); !chunk.done; chunk = await reader.read()) {
      this.#failures = 0;
      this.#receivedAt = Date.now();
      this.#restartSilenceTimer(connection);
      parser.feed(decoder.decode(chunk.value, { stream: true }));
    }
  }

  #restartSilenceTimer(connection: AbortController) {
    clearTimeout(this.#silenceTimer);
    this.#silenceTimer = setTimeout(() => connection.abort(), SILENT_MS);
  }
}

function parse(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return null;
  }
}
