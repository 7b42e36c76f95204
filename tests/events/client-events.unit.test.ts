import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { ServerEvent } from '#shared/events/contract.ts';
import { Events } from '../../client/platform/events/events.ts';

const cadence = (seconds: number): ServerEvent => ({
  type: 'cadence',
  next_update_seconds: seconds,
});
const wire = (id: string, event: unknown) =>
  `id: ${id}\nevent: x\ndata: ${JSON.stringify(event)}\n\n`;

/** Creates a fake server whose streams the test writes to. */
function server() {
  const requests: { lastId: string | null; signal: AbortSignal; at: number }[] = [];
  let respond: ((signal: AbortSignal) => Response | Promise<Response>) | null = null;
  let writer: ReadableStreamDefaultController<Uint8Array> | null = null;
  const encoder = new TextEncoder();
  return {
    requests,
    refuse: (status: number) => (respond = () => new Response(null, { status })),
    /** Never responds. */
    hang: () =>
      (respond = (signal) =>
        new Promise((_, reject) => {
          signal.addEventListener('abort', () => reject(new Error('given up')));
        })),
    accept: () => (respond = null),
    send: (text: string) => writer?.enqueue(encoder.encode(text)),
    drop: () => writer?.error(new Error('gone')),
    fetch: ((_url: string, init: RequestInit) => {
      const signal = init.signal!;
      requests.push({
        lastId: new Headers(init.headers).get('last-event-id'),
        signal,
        at: Date.now(),
      });
      if (respond) return Promise.resolve(respond(signal));
      const body = new ReadableStream<Uint8Array>({
        start: (controller) => {
          writer = controller;
          signal.addEventListener('abort', () => controller.error(signal.reason));
        },
      });
      return Promise.resolve(new Response(body));
    }) as typeof fetch,
  };
}

describe('receiving events', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  function receive() {
    const fakeServer = server();
    const received: ServerEvent[] = [];
    const events = new Events({
      onEvent: (event) => received.push(event),
      fetch: fakeServer.fetch,
      random: () => 1,
    });
    return { fakeServer, received, events };
  }

  test('passes on known events and ignores unknown and malformed ones', async () => {
    const { fakeServer, received, events } = receive();
    await vi.advanceTimersByTimeAsync(0);
    fakeServer.send(wire('1', { type: 'other' }) + 'data: {no json\n\n' + wire('3', cadence(5)));
    await vi.advanceTimersByTimeAsync(0);
    expect(received).toEqual([cadence(5)]);
    events.close();
  });

  test.each(['\n', '\r\n', '\r'])(
    'receives the same events in chunks of any size, with line breaks %j',
    async (lineBreak) => {
      const text =
        wire('1', cadence(5)) +
        ': heartbeat\n\nretry: 100\n\n' +
        wire('2', { ...cadence(2), é: 'é' });
      for (const size of [1, 2, 7, text.length]) {
        const { fakeServer, received, events } = receive();
        await vi.advanceTimersByTimeAsync(0);
        const sent = `${text}:\n`.replaceAll('\n', lineBreak);
        for (let at = 0; at < sent.length; at += size) fakeServer.send(sent.slice(at, at + size));
        await vi.advanceTimersByTimeAsync(0);
        expect(received).toEqual([cadence(5), cadence(2)]);
        events.close();
      }
    },
  );

  test('resumes after a connection loss with the last event id', async () => {
    const { fakeServer, received, events } = receive();
    await vi.advanceTimersByTimeAsync(0);
    fakeServer.send(wire('a1', cadence(5)));
    await vi.advanceTimersByTimeAsync(0);
    fakeServer.drop();
    await vi.advanceTimersByTimeAsync(1000);
    fakeServer.send(wire('a2', cadence(2)));
    await vi.advanceTimersByTimeAsync(0);
    expect(fakeServer.requests.map(({ lastId }) => lastId)).toEqual([null, 'a1']);
    expect(received).toEqual([cadence(5), cadence(2)]);
    events.close();
  });

  test('resumes from the initial id when the connection is lost before the first event', async () => {
    const { fakeServer, events } = receive();
    await vi.advanceTimersByTimeAsync(0);
    fakeServer.send('retry: 1000\nid: a0\ndata:\n\n');
    await vi.advanceTimersByTimeAsync(0);
    fakeServer.drop();
    await vi.advanceTimersByTimeAsync(1000);
    expect(fakeServer.requests.map(({ lastId }) => lastId)).toEqual([null, 'a0']);
    events.close();
  });

  test('waits longer after each refusal, up to 30 s, and starts over after a success', async () => {
    const { fakeServer, events } = receive();
    fakeServer.refuse(503);
    fakeServer.requests.length = 0;
    await vi.advanceTimersByTimeAsync(0);
    fakeServer.drop();
    await vi.advanceTimersByTimeAsync(150_000);
    const waits = fakeServer.requests
      .slice(1)
      .map(({ at }, index) => at - fakeServer.requests[index]!.at);
    expect(waits.slice(0, 6)).toEqual([2000, 4000, 8000, 16_000, 30_000, 30_000]);

    fakeServer.accept();
    events.hurry(Infinity);
    await vi.advanceTimersByTimeAsync(30_000);
    fakeServer.send(': beat\n\n');
    await vi.advanceTimersByTimeAsync(0);
    const before = fakeServer.requests.length;
    fakeServer.drop();
    await vi.advanceTimersByTimeAsync(1000);
    expect(fakeServer.requests).toHaveLength(before + 1);
    events.close();
  });

  test('reconnects when a stream has been silent for 25 s', async () => {
    const { fakeServer, events } = receive();
    for (let beats = 0; beats < 5; beats++) {
      await vi.advanceTimersByTimeAsync(15_000);
      fakeServer.send(': beat\n\n');
    }
    expect(fakeServer.requests).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(24_000);
    expect(fakeServer.requests).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(2_000);
    expect(fakeServer.requests).toHaveLength(2);
    expect(fakeServer.requests[0]?.signal.aborted).toBe(true);
    events.close();
  });

  test('reconnects after a network change, and when the tab returns after a silence', async () => {
    const { fakeServer, events } = receive();
    await vi.advanceTimersByTimeAsync(6_000);
    events.hurry(Date.now() - 6_000);
    expect(fakeServer.requests).toHaveLength(1);
    events.hurry(Infinity);
    await vi.advanceTimersByTimeAsync(0);
    expect(fakeServer.requests).toHaveLength(2);
    expect(fakeServer.requests[0]?.signal.aborted).toBe(true);
    await vi.advanceTimersByTimeAsync(18_000);
    events.hurry(Date.now() - 17_000);
    await vi.advanceTimersByTimeAsync(0);
    expect(fakeServer.requests).toHaveLength(3);
    events.close();
  });

  test('reconnects after five seconds without a response', async () => {
    const { fakeServer, events } = receive();
    await vi.advanceTimersByTimeAsync(6_000);
    fakeServer.hang();
    events.hurry(Infinity);
    await vi.advanceTimersByTimeAsync(4_900);
    events.hurry(Date.now());
    await vi.advanceTimersByTimeAsync(0);
    expect(fakeServer.requests).toHaveLength(2);
    await vi.advanceTimersByTimeAsync(200);
    events.hurry(Date.now() - 5_000);
    await vi.advanceTimersByTimeAsync(0);
    expect(fakeServer.requests).toHaveLength(3);
    events.close();
  });

  test('stops permanently when closed', async () => {
    const { fakeServer, received, events } = receive();
    await vi.advanceTimersByTimeAsync(0);
    events.close();
    await vi.advanceTimersByTimeAsync(120_000);
    events.hurry(Infinity);
    expect(fakeServer.requests).toHaveLength(1);
    expect(received).toEqual([]);
    expect(vi.getTimerCount()).toBe(0);
  });
});
