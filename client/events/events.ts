import { createParser } from 'eventsource-parser';
import { backoffMs } from '#shared/backoff.ts';
import { events, serverEvent, type ServerEvent } from '#shared/events/contract.ts';
import { pathOf } from '../http/api-client.ts';
import { readAnswer } from '../http/lenient-response.ts';

/** The server sends a comment every 15 s: a stream silent for so much longer is dead, whatever the socket says. */
const SILENT_MS = 25_000;
/** What was begun a moment ago is given its time. */
const YOUNG_MS = 5_000;
const RETRY_MS = { first: 1_000, longest: 30_000 };

export interface EventsOptions {
  onEvent: (event: ServerEvent) => void;
  fetch?: typeof fetch;
  /** From 0 to 1; spreads the retries of many clients. */
  random?: () => number;
}

/**
 * Receives GET /api/events for as long as it is open: resumes after the last event it saw, and comes back
 * after every loss, later each time. (EventSource gives up at the first refusal, and forgets where it was.)
 */
export class Events {
  readonly #options: EventsOptions;
  #lastId: string | null = null;
  #failures = 0;
  #begunAt = 0;
  #heardAt = 0;
  /** It is given up for another one at once. */
  #isHurried = false;
  #connection: AbortController | null = null;
  #silence: ReturnType<typeof setTimeout> | undefined;
  #retry: ReturnType<typeof setTimeout> | undefined;
  #isOver = false;

  constructor(options: EventsOptions) {
    this.#options = options;
    void this.#connect();
  }

  /**
   * Tries again now.
   * @param silentSince a stream of which nothing was heard since then may carry nothing any more, and not say so; in milliseconds of the
   * clock, Infinity where that is certain
   */
  hurry(silentSince: number): void {
    if (this.#isOver) return;
    this.#failures = 0;
    clearTimeout(this.#retry);
    if (!this.#connection) return void this.#connect();
    const isYoung = Math.abs(Date.now() - this.#begunAt) < YOUNG_MS && silentSince < Infinity;
    if (isYoung || this.#heardAt >= silentSince) return;
    this.#isHurried = true;
    this.#connection.abort();
  }

  close(): void {
    this.#isOver = true;
    clearTimeout(this.#retry);
    clearTimeout(this.#silence);
    this.#connection?.abort();
  }

  async #connect() {
    const connection = new AbortController();
    this.#connection = connection;
    try {
      await this.#receive(connection);
    } catch {
      // Lost or refused: either way it is tried again.
    }
    clearTimeout(this.#silence);
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
    this.#begunAt = Date.now();
    this.#waitFor(connection);
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
    this.#heardAt = Date.now();
    const decoder = new TextDecoder();
    const reader = response.body.getReader();
    for (let part = await reader.read(); !part.done; part = await reader.read()) {
      this.#failures = 0;
      this.#heardAt = Date.now();
      this.#waitFor(connection);
      parser.feed(decoder.decode(part.value, { stream: true }));
    }
  }

  #waitFor(connection: AbortController) {
    clearTimeout(this.#silence);
    this.#silence = setTimeout(() => connection.abort(), SILENT_MS);
  }
}

function parse(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return null;
  }
}
