import { createParser } from 'eventsource-parser';
import { events, serverEvent, type ServerEvent } from '#shared/events/contract.ts';
import { pathOf } from '../../client/platform/http/api-client.ts';
import type { TestPerson } from '../api.ts';

export interface Listening {
  events: ServerEvent[];
  /** The id that a browser would resume after. */
  lastId(): string | null;
  /** The raw text received. */
  text(): string;
  /** Waits for an event of this type, from the first one on. */
  next<T extends ServerEvent['type']>(type: T): Promise<Extract<ServerEvent, { type: T }>>;
  /** Waits until the server ends the stream. */
  ended: Promise<void>;
  close(): void;
}

/** Opens GET /api/events like a browser's EventSource. Resolves when it is open and throws when it is refused. */
export async function listen(
  origin: string,
  person: Pick<TestPerson, 'jar'>,
  lastEventId?: string,
): Promise<Listening> {
  const connection = new AbortController();
  const response = await person.jar.fetch(`${origin}${pathOf(events)}`, {
    headers: {
      accept: 'text/event-stream',
      ...(lastEventId === undefined ? {} : { 'last-event-id': lastEventId }),
    },
    signal: connection.signal,
  });
  if (!response.ok || !response.body) throw new Error(`refused with ${response.status}`);
  const received: ServerEvent[] = [];
  const waiting = new Set<() => void>();
  let text = '';
  let lastId: string | null = null;
  const parser = createParser({
    onEvent: ({ id, data }) => {
      lastId = id ?? lastId;
      if (data !== '') received.push(serverEvent.parse(JSON.parse(data)));
    },
  });
  const reader = response.body.getReader();
  const decoder = new TextDecoder();

  async function read(): Promise<void> {
    for (let part = await reader.read(); !part.done; part = await reader.read()) {
      const piece = decoder.decode(part.value, { stream: true });
      text += piece;
      parser.feed(piece);
      for (const wake of waiting) wake();
    }
  }
  const ended = read().catch(() => {});

  return {
    events: received,
    lastId: () => lastId,
    text: () => text,
    ended,
    close: () => connection.abort(),
    async next(type) {
      const isWanted = (event: ServerEvent): event is Extract<ServerEvent, { type: typeof type }> =>
        event.type === type;
      for (;;) {
        const found = received.find(isWanted);
        if (found) return found;
        await new Promise<void>((resolve) => {
          const wake = () => {
            waiting.delete(wake);
            resolve();
          };
          waiting.add(wake);
        });
      }
    },
  };
}
