import { connect, type Socket } from 'node:net';

interface Answer {
  status: number;
  body: string;
}

/** A client with one keep-alive connection that uses little CPU, because it shares the cores with the measured server. */
export interface Line {
  /** Sends a JSON POST and waits for the answer. */
  post(path: string, body: string, headers: string): Promise<Answer>;
  get(path: string, headers: string): Promise<Answer>;
  close(): void;
}

/** Opens a connection to a server on this machine that answers with Content-Length. */
export async function openLine(port: number): Promise<Line> {
  const socket: Socket = connect({ port, host: '127.0.0.1', noDelay: true });
  await new Promise<void>((resolve, reject) => {
    socket.once('connect', resolve);
    socket.once('error', reject);
  });
  let received = '';
  let settle: ((answer: Answer) => void) | null = null;
  let fail: ((error: Error) => void) | null = null;
  let isClosed = false;
  socket.setEncoding('latin1');
  socket.on('data', (text: string) => {
    received += text;
    const head = received.indexOf('\r\n\r\n');
    if (head < 0) return;
    const length = Number(/content-length: (\d+)/i.exec(received.slice(0, head))?.[1] ?? 0);
    if (received.length < head + 4 + length) return;
    const answer = { status: Number(received.slice(9, 12)), body: received.slice(head + 4) };
    received = '';
    settle?.(answer);
  });
  socket.on('error', (error) => fail?.(error));
  const closed = () => new Error('the server closed the connection');
  socket.on('close', () => {
    isClosed = true;
    fail?.(closed());
  });
  const send = (request: string) =>
    new Promise<Answer>((resolve, reject) => {
      if (isClosed) return reject(closed());
      settle = resolve;
      fail = reject;
      socket.write(request);
    });
  return {
    post: (path, body, headers) =>
      send(
        `POST ${path} HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\ncontent-type: application/json\r\n${headers}content-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
      ),
    get: (path, headers) =>
      send(`GET ${path} HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\n${headers}\r\n`),
    close() {
      fail = null;
      socket.destroy();
    },
  };
}

/**
 * Sends calls with a fixed concurrency for a while.
 * @returns finished calls a second
 */
export async function rate(
  inFlight: number,
  milliseconds: number,
  call: (lane: number) => Promise<unknown>,
): Promise<number> {
  const from = performance.now();
  let finished = 0;
  const lanes = Array.from({ length: inFlight }, async (_, lane) => {
    while (performance.now() - from < milliseconds) {
      await call(lane);
      finished += 1;
    }
  });
  await Promise.all(lanes);
  return (finished / (performance.now() - from)) * 1000;
}

/** A fetch for a server, with a connection of its own for each call. */
export async function rateAt(
  port: number,
  inFlight: number,
  milliseconds: number,
  call: (line: Line) => Promise<unknown>,
): Promise<number> {
  const lines = await Promise.all(Array.from({ length: inFlight }, () => openLine(port)));
  try {
    return await rate(inFlight, milliseconds, (lane) => call(lines[lane]!));
  } finally {
    for (const line of lines) line.close();
  }
}
