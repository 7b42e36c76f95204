import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { ServerEvent } from '#shared/events/contract.ts';
import { Events } from '../../client/events/events.ts';

const cadence = (seconds: number): ServerEvent => ({
  type: 'cadence',
  next_update_seconds: seconds,
});
const wire = (id: string, event: unknown) =>
  `id: ${id}\nevent: x\ndata: ${JSON.stringify(event)}\n\n`;

/** A server whose streams the test writes to. */
function server() {
  const requests: { lastId: string | null; signal: AbortSignal; at: number }[] = [];
  let respond: ((signal: AbortSignal) => Response | Promise<Response>) | null = null;
  let writer: ReadableStreamDefaultController<Uint8Array> | null = null;
  const encoder = new TextEncoder();
  return {
    requests,
    refuse: (status: number) => (respond = () => new Response(null, { status })),
    /** Nothing comes, not even a refusal. */
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

describe('receiving', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  function receive() {
    const there = server();
    const heard: ServerEvent[] = [];
    const events = new Events({
      onEvent: (event) => heard.push(event),
      fetch: there.fetch,
      random: () => 1,
    });
    return { there, heard, events };
  }

  test('hands on what the contract knows, and survives what it does not', async () => {
    const { there, heard, events } = receive();
    await vi.advanceTimersByTimeAsync(0);
    there.send(wire('1', { type: 'other' }) + 'data: {no json\n\n' + wire('3', cadence(5)));
    await vi.advanceTimersByTimeAsync(0);
    expect(heard).toEqual([cadence(5)]);
    events.close();
  });

  test.each(['\n', '\r\n', '\r'])(
    'receives the same events in pieces of any size, with line breaks %j',
    async (lineBreak) => {
      const text =
        wire('1', cadence(5)) +
        ': heartbeat\n\nretry: 100\n\n' +
        wire('2', { ...cadence(2), é: 'é' });
      for (const size of [1, 2, 7, text.length]) {
        const { there, heard, events } = receive();
        await vi.advanceTimersByTimeAsync(0);
        const sent = `${text}:\n`.replaceAll('\n', lineBreak);
        for (let at = 0; at < sent.length; at += size) there.send(sent.slice(at, at + size));
        await vi.advanceTimersByTimeAsync(0);
        expect(heard).toEqual([cadence(5), cadence(2)]);
        events.close();
      }
    },
  );

  test('comes back after a loss where it was', async () => {
    const { there, heard, events } = receive();
    await vi.advanceTimersByTimeAsync(0);
    there.send(wire('a1', cadence(5)));
    await vi.advanceTimersByTimeAsync(0);
    there.drop();
    await vi.advanceTimersByTimeAsync(1000);
    there.send(wire('a2', cadence(2)));
    await vi.advanceTimersByTimeAsync(0);
    expect(there.requests.map(({ lastId }) => lastId)).toEqual([null, 'a1']);
    expect(heard).toEqual([cadence(5), cadence(2)]);
    events.close();
  });

  test('lost before its first event, resumes from where the server said it began', async () => {
    const { there, events } = receive();
    await vi.advanceTimersByTimeAsync(0);
    there.send('retry: 1000\nid: a0\ndata:\n\n');
    await vi.advanceTimersByTimeAsync(0);
    there.drop();
    await vi.advanceTimersByTimeAsync(1000);
    expect(there.requests.map(({ lastId }) => lastId)).toEqual([null, 'a0']);
    events.close();
  });

  test('waits longer after each refusal, at most 30 s, and starts over once it worked', async () => {
    const { there, events } = receive();
    there.refuse(503);
    there.requests.length = 0;
    await vi.advanceTimersByTimeAsync(0);
    there.drop();
    await vi.advanceTimersByTimeAsync(150_000);
    const waits = there.requests.slice(1).map(({ at }, index) => at - there.requests[index]!.at);
    expect(waits.slice(0, 6)).toEqual([2000, 4000, 8000, 16_000, 30_000, 30_000]);

    there.accept();
    events.hurry(Infinity);
    await vi.advanceTimersByTimeAsync(30_000);
    there.send(': beat\n\n');
    await vi.advanceTimersByTimeAsync(0);
    const before = there.requests.length;
    there.drop();
    await vi.advanceTimersByTimeAsync(1000);
    expect(there.requests).toHaveLength(before + 1);
    events.close();
  });

  test('does not trust a stream that has gone silent', async () => {
    const { there, events } = receive();
    for (let beats = 0; beats < 5; beats++) {
      await vi.advanceTimersByTimeAsync(15_000);
      there.send(': beat\n\n');
    }
    expect(there.requests).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(24_000);
    expect(there.requests).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(2_000);
    expect(there.requests).toHaveLength(2);
    expect(there.requests[0]?.signal.aborted).toBe(true);
    events.close();
  });

  test('is opened anew when the network is another one, and back in sight when it has been silent', async () => {
    const { there, events } = receive();
    await vi.advanceTimersByTimeAsync(6_000);
    events.hurry(Date.now() - 6_000);
    expect(there.requests).toHaveLength(1);
    events.hurry(Infinity);
    await vi.advanceTimersByTimeAsync(0);
    expect(there.requests).toHaveLength(2);
    expect(there.requests[0]?.signal.aborted).toBe(true);
    await vi.advanceTimersByTimeAsync(18_000);
    events.hurry(Date.now() - 17_000);
    await vi.advanceTimersByTimeAsync(0);
    expect(there.requests).toHaveLength(3);
    events.close();
  });

  test('is begun anew where nothing comes of it, after five seconds', async () => {
    const { there, events } = receive();
    await vi.advanceTimersByTimeAsync(6_000);
    there.hang();
    events.hurry(Infinity);
    await vi.advanceTimersByTimeAsync(4_900);
    events.hurry(Date.now());
    await vi.advanceTimersByTimeAsync(0);
    expect(there.requests).toHaveLength(2);
    await vi.advanceTimersByTimeAsync(200);
    events.hurry(Date.now() - 5_000);
    await vi.advanceTimersByTimeAsync(0);
    expect(there.requests).toHaveLength(3);
    events.close();
  });

  test('stops for good when closed', async () => {
    const { there, heard, events } = receive();
    await vi.advanceTimersByTimeAsync(0);
    events.close();
    await vi.advanceTimersByTimeAsync(120_000);
    events.hurry(Infinity);
    expect(there.requests).toHaveLength(1);
    expect(heard).toEqual([]);
    expect(vi.getTimerCount()).toBe(0);
  });
});
