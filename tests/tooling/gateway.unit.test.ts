import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, request, type IncomingMessage, type RequestListener } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { WebSocket, WebSocketServer } from 'ws';
import { PROXY_IDLE_MS, SERVER_IDLE_MS } from '#shared/server/connections.ts';
import { Metrics } from '#shared/server/metrics.ts';
import { startBalancer } from '../../gateway/balancer.ts';
import { NodePool } from '../../gateway/node-pool.ts';
import { startGateway } from '../../gateway/server.ts';
import { trustedHops } from '../../gateway/trusted-hops.ts';
import { freePort } from '../../scripts/stack/ports.ts';

let clientDir: string;
/** Whether the API is in the process of the gateway. */
let isInProcess = false;
const listeners = new Map<number, RequestListener>();

beforeEach(async () => {
  const root = await mkdtemp(join(tmpdir(), 'leashwise-gateway-'));
  clientDir = join(root, 'client');
  await mkdir(join(clientDir, 'assets'), { recursive: true });
  await writeFile(join(root, 'secret.txt'), 'not for strangers');
  await writeFile(join(clientDir, 'index.html'), '<!doctype html><title>page</title>');
  await writeFile(join(clientDir, 'sw.js'), 'self');
  await writeFile(join(clientDir, 'assets', 'main-D3adB33f.js'), 'plain');
  await writeFile(join(clientDir, 'assets', 'main-D3adB33f.js.br'), 'brotli');
  await writeFile(join(clientDir, 'assets', 'main-D3adB33f.js.gz'), 'gzipped');
  await writeFile(join(clientDir, 'assets', 'main-D3adB33f.js.map'), '{}');
  return () => rm(root, { recursive: true });
});

/** Starts a gateway. Ports on which nothing listens stand for servers that are down. */
async function gateway(
  ports: {
    apiPort?: number;
    syncPort?: number;
    apiPorts?: number[];
    syncPorts?: number[];
    trustedHops?: number;
    publicOrigin?: string;
    isLocalOnly?: boolean;
    idleMs?: number;
    googlePay?: boolean;
    tileSource?: string;
  } = {},
) {
  const port = await freePort();
  const common = {
    port,
    hosts: ['127.0.0.1'],
    clientDir,
    trustedHops: ports.trustedHops ?? 0,
    publicOrigin: ports.publicOrigin ?? 'http://localhost:3000',
    isLocalOnly: ports.isLocalOnly ?? false,
    googlePay: ports.googlePay ?? false,
    tileSource: ports.tileSource ?? null,
  };
  const running = isInProcess
    ? await startGateway({
        ...common,
        api: listeners.get(ports.apiPort ?? 0) ?? (() => {}),
        sync: () => {},
        metrics: new Metrics('api'),
      })
    : await startBalancer({
        ...common,
        apiPorts: ports.apiPorts ?? [ports.apiPort ?? (await freePort())],
        syncPorts: ports.syncPorts ?? [ports.syncPort ?? (await freePort())],
        ...(ports.idleMs !== undefined && { idleMs: ports.idleMs }),
      });
  onTestFinished(() => running.close());
  return { port, origin: `http://127.0.0.1:${port}` };
}

/** Sets the monotonic clock ahead until the test is over. */
function advanceClock(ms: number): void {
  const now = performance.now.bind(performance);
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => now() + ms);
  onTestFinished(() => clock.mockRestore());
}

/** Returns the port of a process that is frozen and whose queue of connections is full: another one stays open halfway. */
async function frozenPort(): Promise<number> {
  const code = `const server = require('node:net').createServer().listen(0, '127.0.0.1', 1, () =>
    process.stdout.write(String(server.address().port)))`;
  const child = spawn(process.execPath, ['-e', code], { stdio: ['ignore', 'pipe', 'inherit'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  const [text] = (await once(child.stdout, 'data')) as [Buffer];
  child.kill('SIGSTOP');
  const port = Number(text.toString());
  for (let index = 0; index < 5; index++) {
    const waiting = connect(port, '127.0.0.1').on('error', () => {});
    onTestFinished(() => void waiting.destroy());
  }
  return port;
}

async function api(listener: RequestListener): Promise<number> {
  const server = createServer(listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  listeners.set(port, listener);
  return port;
}

/** Sends a request without normalizing its path. */
async function raw(port: number, path: string, headers: Record<string, string> = {}) {
  const sent = request({ host: '127.0.0.1', port, path, headers }).end();
  const [answer] = (await once(sent, 'response')) as [IncomingMessage];
  let body = '';
  for await (const chunk of answer.setEncoding('utf8')) body += chunk;
  return { status: answer.statusCode, headers: answer.headers, body };
}

/** Writes bytes to a connection and returns the response up to the end of its headers. The connection stays open. */
async function written(port: number, bytes: string): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  onTestFinished(() => void socket.destroy());
  socket.write(bytes);
  let answer = '';
  for await (const chunk of socket.iterator({ destroyOnReturn: false })) {
    answer = (answer + String(chunk)).replace('HTTP/1.1 100 Continue\r\n\r\n', '');
    if (answer.includes('\r\n\r\n')) break;
  }
  return answer;
}

const manyHeaders = Array.from({ length: 1_000 }, (_, n) => `${n.toString(36)}:\r\n`).join('');

describe('the client', () => {
  test('serves the client as it was at the start, even if it is rebuilt', async () => {
    const { port } = await gateway();
    await rm(clientDir, { recursive: true });
    expect(await raw(port, '/assets/main-D3adB33f.js')).toMatchObject({
      status: 200,
      body: 'plain',
    });
    expect((await raw(port, '/dogs')).body).toContain('<title>page</title>');
  });

  test('caches hashed files forever, in the best encoding that the browser accepts', async () => {
    const { port } = await gateway();
    const path = '/assets/main-D3adB33f.js';
    const brotli = await raw(port, path, { 'accept-encoding': 'gzip, deflate, br' });
    expect(brotli).toMatchObject({ status: 200, body: 'brotli' });
    expect(brotli.headers).toMatchObject({
      'content-encoding': 'br',
      'content-type': 'text/javascript; charset=utf-8',
      'cache-control': 'public, max-age=31536000, immutable',
      vary: 'accept-encoding',
    });
    const gzip = await raw(port, path, { 'accept-encoding': 'gzip, br;q=0' });
    expect(gzip).toMatchObject({ body: 'gzipped', headers: { 'content-encoding': 'gzip' } });
    const plain = await raw(port, path);
    expect(plain.body).toBe('plain');
    expect(plain.headers['content-encoding']).toBeUndefined();
  });

  test('revalidates pages and the service worker each time, with 304 when unchanged', async () => {
    const { port } = await gateway();
    for (const path of ['/index.html', '/sw.js', '/']) {
      const first = await raw(port, path);
      expect(first).toMatchObject({ status: 200, headers: { 'cache-control': 'no-cache' } });
      const again = await raw(port, path, { 'if-none-match': String(first.headers.etag) });
      expect(again).toMatchObject({ status: 304, body: '' });
    }
  });

  test('serves the client at any page address and 404 for missing files', async () => {
    const { port } = await gateway();
    expect((await raw(port, '/home?from=mail')).body).toContain('<title>page');
    expect((await raw(port, '/auth/callback?code=a.b')).body).toContain('<title>page');
    for (const path of ['/assets/gone-12345678.js', '/favicon.ico', '/assets/main-D3adB33f.js.map'])
      expect((await raw(port, path)).status).toBe(404);
  });

  test('serves no files outside the folder', async () => {
    const { port } = await gateway();
    const paths = ['/../secret.txt', '/assets/../../secret.txt', '/%2e%2e/secret.txt'];
    for (const path of [...paths, '/..%2fsecret.txt', '/%', '//etc/passwd', '/\\..\\secret.txt']) {
      const { body } = await raw(port, path);
      expect(body).not.toContain('strangers');
      expect(body).not.toContain('root:');
    }
  });

  test('restricts the page with security headers', async () => {
    const { port, origin } = await gateway();
    const { headers } = await raw(port, '/');
    const policy = String(headers['content-security-policy']);
    expect(policy).toContain("script-src 'self' 'wasm-unsafe-eval';");
    expect(policy).toContain("img-src 'self' blob: data:;");
    expect(policy).toContain(`connect-src 'self' ws://127.0.0.1:${port} wss://127.0.0.1:${port};`);
    expect(policy).toContain("frame-ancestors 'none'");
    expect(headers['permissions-policy']).toContain(
      'geolocation=(self), microphone=(self), camera=(self)',
    );
    expect(headers['x-content-type-options']).toBe('nosniff');
    expect((await fetch(origin, { method: 'POST' })).status).toBe(405);
    const head = await fetch(origin, { method: 'HEAD' });
    expect([head.status, await head.text()]).toEqual([200, '']);
  });

  test('allows map tiles from the configured source only', async () => {
    const tileSource = 'https://*.tiles.example';
    const { headers } = await raw((await gateway({ tileSource })).port, '/');
    expect(headers['content-security-policy']).toContain(
      "img-src 'self' blob: data: https://*.tiles.example;",
    );
  });

  test('allows Google’s wallet only where it is used', async () => {
    const headersOf = async (googlePay: boolean) =>
      (await raw((await gateway({ googlePay })).port, '/')).headers;
    const without = await headersOf(false);
    expect(JSON.stringify(without)).not.toMatch(/google|gstatic|stripe/);
    expect(without['permissions-policy']).toContain('payment=()');
    expect(without['cross-origin-opener-policy']).toBe('same-origin');
    const used = await headersOf(true);
    const policy = String(used['content-security-policy']);
    expect(policy).toMatch(
      /script-src 'self' 'wasm-unsafe-eval' https:\/\/pay\.google\.com https:\/\/js\.stripe\.com /,
    );
    expect(policy).toMatch(/frame-src https:\/\/pay\.google\.com https:\/\/js\.stripe\.com /);
    expect(policy).toMatch(/connect-src [^;]*https:\/\/google\.com\/pay/);
    expect(used['permissions-policy']).toContain(
      'payment=(self "https://pay.google.com" "https://js.stripe.com")',
    );
    expect(used['cross-origin-opener-policy']).toBe('same-origin-allow-popups');
  });
});

describe.each([
  ['behind a proxy', false],
  ['in this process', true],
])('the API %s', (_where, isHere) => {
  beforeEach(() => {
    isInProcess = isHere;
    return () => {
      isInProcess = false;
    };
  });

  test('forwards requests and responses with the client’s address', async () => {
    const seen: IncomingMessage[] = [];
    const apiPort = await api(async (incoming, response) => {
      seen.push(incoming);
      let body = '';
      for await (const chunk of incoming) body += chunk;
      response.writeHead(201, { 'set-cookie': ['a=1', 'b=2'], 'x-body': body }).end('made');
    });
    const { port, origin } = await gateway({ apiPort });
    const answer = await fetch(`${origin}/api/dogs?x=1`, {
      method: 'POST',
      body: 'Rex',
      headers: { cookie: 'c=3', 'x-forwarded-for': '6.6.6.6', 'x-forwarded-proto': 'https' },
    });
    expect([answer.status, await answer.text()]).toEqual([201, 'made']);
    expect(answer.headers.getSetCookie()).toEqual(['a=1', 'b=2']);
    expect(answer.headers.get('x-body')).toBe('Rex');
    expect(seen[0]).toMatchObject({
      method: 'POST',
      url: '/api/dogs?x=1',
      headers: {
        host: `127.0.0.1:${port}`,
        cookie: 'c=3',
        'x-forwarded-for': '127.0.0.1',
        'x-forwarded-proto': 'http',
      },
    });
  });

  describe.each(['GET', 'HEAD', 'DELETE', 'OPTIONS', 'POST', 'PURGE'])(
    'the body of a %s',
    (method) => {
      const hidden =
        'GET /api/hidden HTTP/1.1\r\nhost: localhost\r\nx-forwarded-for: 9.9.9.9\r\n\r\n';
      const chunked = `${hidden.length.toString(16)}\r\n${hidden}\r\n0\r\n\r\n`;
      const length = `content-length: ${hidden.length}`;
      test.each([
        ['in chunks', 'transfer-encoding: chunked', chunked],
        ['in chunks of an encoding', 'transfer-encoding: gzip, chunked', chunked],
        [
          'in chunks, for this connection',
          'transfer-encoding: chunked\r\nconnection: transfer-encoding',
          chunked,
        ],
        ['in chunks, if wanted', 'transfer-encoding: chunked\r\nexpect: 100-continue', chunked],
        ['of a length', length, hidden],
        ['of a length, for this connection', `${length}\r\nconnection: content-length`, hidden],
        [
          'of a length, if wanted',
          `${length}\r\nconnection: content-length\r\nexpect: 100-continue`,
          hidden,
        ],
      ])('keeps the body in the request: %s', async (_, headers, body) => {
        const seen: string[] = [];
        const apiPort = await api(async (incoming, response) => {
          let said = '';
          for await (const chunk of incoming) said += chunk;
          seen.push(`${incoming.method} ${incoming.url} ${said}`);
          response.end(`answer to ${incoming.url}`);
        });
        const { port } = await gateway({ apiPort });
        const answer = await written(
          port,
          `${method} /api/first HTTP/1.1\r\nhost: localhost\r\n${headers}\r\n\r\n${body}`,
        );
        expect(answer).toContain('HTTP/1.1 200 OK');
        expect((await raw(port, '/api/next')).body).toBe('answer to /api/next');
        expect(seen).toEqual([`${method} /api/first ${hidden}`, 'GET /api/next ']);
      });
    },
  );

  test('rejects TRACE', async () => {
    const { port } = await gateway();
    const sent = request({ host: '127.0.0.1', port, path: '/', method: 'TRACE' }).end();
    const [response] = (await once(sent, 'response')) as [IncomingMessage];
    response.resume();
    expect(response.statusCode).toBe(405);
  });

  test('serves security.txt from the API', async () => {
    const asked: string[] = [];
    const apiPort = await api((incoming, response) => {
      asked.push(incoming.url ?? '');
      response.end('Contact: x');
    });
    const { origin } = await gateway({ apiPort });
    const response = await fetch(`${origin}/.well-known/security.txt`);
    expect([response.status, await response.text(), asked]).toEqual([
      200,
      'Contact: x',
      ['/api/security.txt'],
    ]);
  });

  test('rejects more headers than the servers can read', async () => {
    let asked = 0;
    const apiPort = await api((_, response) => response.end(`${++asked}`));
    const { port } = await gateway({ apiPort, syncPort: apiPort });
    for (const end of [
      'content-length: 3\r\n\r\nabc',
      '\r\n',
      'connection: upgrade\r\nupgrade: websocket\r\n\r\n',
    ])
      for (const path of ['/api/x', '/sync'])
        expect(
          await written(port, `GET ${path} HTTP/1.1\r\nhost: localhost\r\n${manyHeaders}${end}`),
        ).toContain('HTTP/1.1 431 ');
    expect(asked).toBe(0);
  });

  test.each([
    [0, '9.9.9.9', '127.0.0.1 http'],
    [1, '9.9.9.9', '9.9.9.9 https'],
    [1, '6.6.6.6, 9.9.9.9:54321', '9.9.9.9 https'],
    [1, '6.6.6.6, unknown', '127.0.0.1 https'],
    [2, '6.6.6.6, 9.9.9.9, 10.0.0.2', '9.9.9.9 https'],
  ])(
    'with %i trusted proxies, %j names one address to the API',
    async (trustedHops, forwardedFor, expected) => {
      const apiPort = await api(({ headers }, response) =>
        response.end(`${headers['x-forwarded-for']} ${headers['x-forwarded-proto']}`),
      );
      const { port } = await gateway({ apiPort, trustedHops });
      const { body } = await raw(port, '/api/x', {
        'x-forwarded-for': forwardedFor,
        'x-forwarded-proto': 'https',
      });
      expect(body).toBe(expected);
    },
  );

  test.each([
    [undefined, 0],
    ['false', 0],
    ['true', 1],
    ['1', 1],
    ['3', 3],
  ])('TRUST_PROXY %j trusts %i proxies', (value, expected) => {
    expect(trustedHops.parse(value)).toBe(expected);
  });

  test.each(['11', '-1', '1.5', 'all', ''])('rejects the TRUST_PROXY %j', (value) => {
    expect(trustedHops.safeParse(value).success).toBe(false);
  });

  test('forwards events one by one, and closes the API’s stream when the browser disconnects', async () => {
    let closed: Promise<unknown> | undefined;
    let next: (() => void) | undefined;
    const apiPort = await api((_, response) => {
      closed = once(response, 'close');
      response.writeHead(200, { 'content-type': 'text/event-stream' }).write('data: 1\n\n');
      next = () => response.write('data: 2\n\n');
    });
    const { origin } = await gateway({ apiPort });
    const leaving = new AbortController();
    const answer = await fetch(`${origin}/api/events`, { signal: leaving.signal });
    const reader = answer.body!.pipeThrough(new TextDecoderStream()).getReader();
    expect((await reader.read()).value).toBe('data: 1\n\n');
    next!();
    expect((await reader.read()).value).toBe('data: 2\n\n');
    leaving.abort();
    await closed;
  });

  test('keeps an idle connection open longer than the pause between two requests of a client', async () => {
    const { origin } = await gateway();
    const { headers } = await fetch(origin);
    expect(headers.get('keep-alive')).toBe(`timeout=${SERVER_IDLE_MS / 1000}`);
  });

  test('gets no hop-by-hop headers', async () => {
    const seen: IncomingMessage[] = [];
    const apiPort = await api((incoming, response) => {
      seen.push(incoming);
      response.end();
    });
    const { port } = await gateway({ apiPort });
    await raw(port, '/api/x', {
      connection: 'keep-alive, x-own',
      'x-own': '1',
      te: 'trailers',
      'proxy-authorization': 'Basic eDp5',
      'x-end': '2',
    });
    const names = Object.keys(seen[0]!.headers);
    expect(names).toContain('x-end');
    for (const name of ['x-own', 'te', 'proxy-authorization']) expect(names).not.toContain(name);
  });

  test('aborts a response that the API breaks off', async () => {
    const apiPort = await api((_, response) => {
      response.writeHead(200, { 'content-length': '100' }).write('half');
      setImmediate(() => response.destroy());
    });
    const { origin } = await gateway({ apiPort });
    await expect(fetch(`${origin}/api/x`).then((answer) => answer.text())).rejects.toThrow();
  });
});

describe('the API behind a proxy', () => {
  test('answers 503 as JSON while the API is down', async () => {
    const { origin } = await gateway();
    const answer = await fetch(`${origin}/api/users/me`, { method: 'POST', body: 'x'.repeat(1e6) });
    expect(answer.status).toBe(503);
    expect(answer.headers.get('retry-after')).toBe('1');
    expect(await answer.json()).toMatchObject({ code: 'unavailable', error: expect.any(String) });
  });

  test('closes idle connections before the API does', async () => {
    expect(PROXY_IDLE_MS).toBeLessThan(SERVER_IDLE_MS);
    const ports: (number | undefined)[] = [];
    const ends: Promise<unknown>[] = [];
    const apiPort = await api((incoming, response) => {
      ports.push(incoming.socket.remotePort);
      ends.push(once(incoming.socket, 'end'));
      response.end();
    });
    const { port } = await gateway({ apiPort, idleMs: 200 });
    await raw(port, '/api/x');
    await raw(port, '/api/x');
    await Promise.all(ends);
    await raw(port, '/api/x');
    expect(ports[1]).toBe(ports[0]);
    expect(ports[2]).not.toBe(ports[0]);
  });

  test('drops hop-by-hop headers of answers', async () => {
    const apiPort = await api((_, response) =>
      response.writeHead(200, { connection: 'close, x-hop', 'x-hop': '1', 'x-end': '2' }).end(),
    );
    const { headers } = await raw((await gateway({ apiPort })).port, '/api/x');
    expect(headers).toMatchObject({ connection: 'keep-alive', 'x-end': '2' });
    expect(headers).not.toHaveProperty('x-hop');
  });
});

describe('several nodes', () => {
  /** Starts nodes that answer with their number, and the health checks with a status that tests change. */
  async function nodes(count: number) {
    const health = Array.from({ length: count }, () => 200);
    const ports = await Promise.all(
      health.map((_, number) =>
        api(async ({ url }, response) => {
          if (url === '/api/health') response.writeHead(health[number]!).end();
          else response.end(String(number));
        }),
      ),
    );
    return { health, ports };
  }
  const asked = async (port: number, cookie: string) =>
    (await raw(port, '/api/x', { cookie: `other=1; leashwise-session=${cookie}; last=2` })).body;
  const sessions = Array.from({ length: 40 }, (_, number) => `session-${number}`);

  test('keeps no connection to the API for browsers that leave after an early answer', async () => {
    const open = new Set<Socket>();
    const server = createServer((_request, response) => void response.writeHead(401).end());
    server.on('connection', (socket) => {
      open.add(socket);
      socket.on('close', () => open.delete(socket));
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
    onTestFinished(() => {
      server.closeAllConnections();
      server.close();
    });
    const { port } = await gateway({ apiPort: (server.address() as AddressInfo).port });
    for (let sent = 0; sent < 20; sent++) {
      const socket = connect(port, '127.0.0.1');
      socket.write('POST /api/x HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 9000\r\n\r\nabc');
      await once(socket, 'data');
      socket.destroy();
    }
    await vi.waitFor(() => expect(open.size).toBeLessThan(5), { timeout: 5_000 });
  });

  test('sends all requests of a session to one node, and shares the sessions among the nodes', async () => {
    const { ports } = await nodes(3);
    const { port } = await gateway({ apiPorts: ports });
    const first = await Promise.all(sessions.map((session) => asked(port, session)));
    const again = await Promise.all(sessions.map((session) => asked(port, session)));
    expect(again).toEqual(first);
    for (const number of ['0', '1', '2'])
      expect(first.filter((node) => node === number).length).toBeGreaterThan(4);
  });

  test('sends a request with a body to the next node when the first refuses the connection', async () => {
    const alive = await api(async (incoming, response) => {
      let body = '';
      for await (const chunk of incoming) body += chunk;
      response.end(`${body.length}`);
    });
    const { origin } = await gateway({ apiPorts: [await freePort(), alive, await freePort()] });
    for (const cookie of sessions.slice(0, 10)) {
      const answer = await fetch(`${origin}/api/x`, {
        method: 'POST',
        headers: { cookie: `leashwise-session=${cookie}` },
        body: 'x'.repeat(1e6),
      });
      expect([answer.status, await answer.text()]).toEqual([200, '1000000']);
    }
  });

  test('moves only the sessions of a node that is unhealthy, and back when it is healthy again', async () => {
    const { ports, health } = await nodes(3);
    const { port } = await gateway({ apiPorts: ports });
    const all = () => Promise.all(sessions.map((session) => asked(port, session)));
    const before = await all();
    health[1] = 503;
    await expect.poll(all).not.toContain('1');
    const meanwhile = await all();
    const ofOthers = (answers: string[]) => answers.filter((_, index) => before[index] !== '1');
    expect(ofOthers(meanwhile)).toEqual(ofOthers(before));
    health[1] = 200;
    await expect.poll(all).toEqual(before);
  });

  test('closes the streams of a node that answers no health check for five seconds, and keeps those of the others', async () => {
    let isSilent = false;
    const ports = await Promise.all(
      ['silent', 'other'].map((name) =>
        api(({ url }, response) => {
          if (url !== '/api/health') response.write(name);
          else if (name === 'other' || !isSilent) response.end();
        }),
      ),
    );
    const { origin } = await gateway({ apiPorts: ports });
    const open = async (session: string) => {
      const { body } = await fetch(`${origin}/api/events`, {
        headers: { cookie: `leashwise-session=${session}` },
      });
      const reader = body!.getReader();
      onTestFinished(() => reader.cancel().catch(() => {}));
      const node = new TextDecoder().decode((await reader.read()).value);
      return {
        session,
        node,
        ended: reader.read().then(
          () => 'ended',
          () => 'broken off',
        ),
      };
    };
    const streams = await Promise.all(sessions.map(open));
    const [ofSilent, ofOther] = ['silent', 'other'].map((name) =>
      streams.filter(({ node }) => node === name),
    );
    expect(ofSilent!.length * ofOther!.length).toBeGreaterThan(0);
    isSilent = true;
    advanceClock(5_000);
    for (const { ended } of ofSilent!) expect(await ended).toBe('broken off');
    const isOpen = new Promise((resolve) => setTimeout(resolve, 100, 'open'));
    for (const { ended } of ofOther!) expect(await Promise.race([ended, isOpen])).toBe('open');
    expect((await open(ofSilent![0]!.session)).node).toBe('other');
  }, 15_000);

  test('asks the nodes anyway when none is healthy', async () => {
    const { ports, health } = await nodes(2);
    const { port } = await gateway({ apiPorts: ports });
    health.fill(503);
    await new Promise((resolve) => setTimeout(resolve, 1_500));
    expect((await raw(port, '/api/x')).status).toBe(200);
  });

  test('uses a connection that opened while the gateway was too busy to notice', async () => {
    const port = await api((_request, response) => void response.end());
    const pool = new NodePool({ ports: [port], healthPath: '/api/health', idleMs: 1000 });
    onTestFinished(() => pool.close());
    const connected = pool.connect(() => 'a session');
    // Blocks the event loop for longer than a connection may take.
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 2_100);
    expect(await connected).toMatchObject({ port });
  });

  test('gives up a connection that is still opening when its node is found silent', async () => {
    const pool = new NodePool({
      ports: [await frozenPort(), await freePort()],
      healthPath: '/api/health',
      idleMs: 1000,
    });
    onTestFinished(() => pool.close());
    advanceClock(5_000);
    const attempts: Promise<string>[] = [];
    for (let index = 0; index < 20; index++) {
      attempts.push(
        pool
          .connect(() => `session-${index}`)
          .then(
            () => 'connected',
            () => 'refused',
          ),
      );
      await wait(200);
    }
    const all = await Promise.race([Promise.all(attempts), wait(5_000, ['some never settle'])]);
    expect(new Set(all)).toEqual(new Set(['refused']));
  }, 15_000);

  test('answers 503 when all nodes refuse connections', async () => {
    const { origin } = await gateway({ apiPorts: [await freePort(), await freePort()] });
    expect((await fetch(`${origin}/api/x`, { method: 'POST', body: 'x' })).status).toBe(503);
  });
});

describe('a request for another host', () => {
  const misdirected = {
    error: expect.stringContaining('https://walks.example'),
    code: 'wrong_host',
  };

  test('rejects requests for another host on each path without forwarding them', async () => {
    let asked = 0;
    const apiPort = await api((_, response) => response.end(`${++asked}`));
    const { port } = await gateway({
      apiPort,
      syncPort: apiPort,
      publicOrigin: 'https://walks.example',
    });
    for (const path of ['/', '/api/dogs', '/assets/main-D3adB33f.js'])
      for (const host of ['evil.example', 'localhost', `127.0.0.1:${port}`]) {
        const { status, body } = await raw(port, path, { host });
        expect({ status, body: JSON.parse(body) }).toEqual({ status: 421, body: misdirected });
      }
    const upgrade = 'connection: upgrade\r\nupgrade: websocket\r\n\r\n';
    expect(await written(port, `GET /sync HTTP/1.1\r\nhost: evil.example\r\n${upgrade}`)).toContain(
      'HTTP/1.1 421 Misdirected Request',
    );
    expect(asked).toBe(0);
    expect(await raw(port, '/api/dogs', { host: 'walks.example' })).toMatchObject({ body: '1' });
  });

  test('answers health checks for any host', async () => {
    const apiPort = await api((_, response) => response.end('healthy'));
    const { port } = await gateway({ apiPort, publicOrigin: 'https://walks.example' });
    expect(await raw(port, '/api/health')).toMatchObject({ status: 200, body: 'healthy' });
  });

  test('checks X-Forwarded-Host in addition to Host', async () => {
    const apiPort = await api((_, response) => response.end());
    const { port } = await gateway({ apiPort, publicOrigin: 'https://walks.example' });
    const statusFor = async (host: string, forwarded: string) =>
      (await raw(port, '/api/dogs', { host, 'x-forwarded-host': forwarded })).status;
    expect(await statusFor('walks.example', 'evil.example')).toBe(421);
    expect(await statusFor('evil.example', 'walks.example')).toBe(421);
    expect(await statusFor('walks.example', 'walks.example')).toBe(200);
  });

  test.each(['x-forwarded-for', 'forwarded', 'via', 'x-real-ip'])(
    'rejects proxied requests with %s while the sandbox is limited to this machine',
    async (name) => {
      const { port } = await gateway({ isLocalOnly: true });
      expect((await raw(port, '/')).status).toBe(200);
      const { status, body } = await raw(port, '/', { [name]: '203.0.113.5' });
      expect(status).toBe(421);
      expect(JSON.parse(body)).toMatchObject({ error: expect.stringContaining('PUBLIC_ORIGIN') });
    },
  );
});

describe('/sync', () => {
  async function syncServer(refuse = false) {
    const server = createServer().listen(0, '127.0.0.1');
    const sockets = new WebSocketServer({ noServer: true });
    server.on('upgrade', (incoming, socket: Socket, head) => {
      if (refuse) {
        socket.end('HTTP/1.1 401 Unauthorized\r\ncontent-length: 6\r\n\r\nno way');
        return;
      }
      sockets.handleUpgrade(incoming, socket, head, (ws) =>
        ws.on('message', (data, isBinary) =>
          ws.send(isBinary ? data : `${incoming.headers.cookie} ${String(data)}`),
        ),
      );
    });
    await once(server, 'listening');
    onTestFinished(() => {
      for (const ws of sockets.clients) ws.terminate();
      server.close();
    });
    return { port: (server.address() as AddressInfo).port, sockets };
  }

  test('forwards messages in both directions, including large ones', async () => {
    const { port: syncPort, sockets } = await syncServer();
    const { port } = await gateway({ syncPort });
    const ws = new WebSocket(`ws://127.0.0.1:${port}/sync`, { headers: { cookie: 'c=3' } });
    await once(ws, 'open');
    ws.send('hello');
    expect(String((await once(ws, 'message'))[0])).toBe('c=3 hello');
    const big = Buffer.alloc(3_000_000, 7);
    ws.send(big);
    expect(((await once(ws, 'message'))[0] as Buffer).equals(big)).toBe(true);
    const [far] = sockets.clients;
    const closed = once(far!, 'close');
    ws.close(1000);
    await closed;
  });

  test('removes the body of an upgrade request', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    onTestFinished(() => void server.close());
    const lengths: (string | undefined)[] = [];
    server.on('upgrade', (incoming, socket: Socket) => {
      lengths.push(incoming.headers['content-length']);
      socket.end('HTTP/1.1 401 Unauthorized\r\ncontent-length: 0\r\n\r\n');
    });
    const { port } = await gateway({ syncPort: (server.address() as AddressInfo).port });
    const answer = await written(
      port,
      'GET /sync HTTP/1.1\r\nhost: localhost\r\nconnection: upgrade\r\nupgrade: websocket\r\ncontent-length: 3\r\n\r\nabc',
    );
    expect(answer).toContain('HTTP/1.1 401 ');
    expect(lengths).toEqual([undefined]);
  });

  test('forwards the rejection of an upgrade', async () => {
    const { port: syncPort } = await syncServer(true);
    const { port } = await gateway({ syncPort });
    const ws = new WebSocket(`ws://127.0.0.1:${port}/sync`);
    const [, answer] = (await once(ws, 'unexpected-response')) as [unknown, IncomingMessage];
    expect(answer.statusCode).toBe(401);
  });

  test('answers 503 while the sync server is down and 404 for other addresses', async () => {
    const { port } = await gateway();
    for (const [path, status] of [
      ['/sync', 503],
      ['/elsewhere', 404],
      ['/syncing', 404],
    ] as const) {
      const ws = new WebSocket(`ws://127.0.0.1:${port}${path}`);
      const [, answer] = (await once(ws, 'unexpected-response')) as [unknown, IncomingMessage];
      expect(answer.statusCode).toBe(status);
    }
  });

  test('survives a client that disconnects before its upgrade is rejected', async () => {
    const { port } = await gateway();
    for (let n = 0; n < 5; n++) {
      const near = connect(port, '127.0.0.1');
      const upgrade = 'connection: upgrade\r\nupgrade: websocket\r\n\r\n';
      near.write(`GET /elsewhere HTTP/1.1\r\nhost: localhost\r\n${upgrade}`, () =>
        near.resetAndDestroy(),
      );
      await once(near, 'close');
    }
    // An unhandled error would end the process and this test.
    expect((await raw(port, '/')).status).toBe(200);
  });

  test('closes each end when the other one is terminated', async () => {
    const { port: syncPort, sockets } = await syncServer();
    const { port } = await gateway({ syncPort });
    for (const side of ['near', 'far'] as const) {
      const near = new WebSocket(`ws://127.0.0.1:${port}/sync`);
      await once(near, 'open');
      const [far] = sockets.clients;
      const closed = once(side === 'near' ? far! : near, 'close');
      (side === 'near' ? near : far!).terminate();
      await closed;
      await expect.poll(() => sockets.clients.size).toBe(0);
    }
  });

  test('closes the connection to the server when the browser leaves during the handshake', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    onTestFinished(() => void server.close());
    const arrived = once(server, 'upgrade') as Promise<[IncomingMessage, Socket]>;
    const { port } = await gateway({ syncPort: (server.address() as AddressInfo).port });
    const near = connect(port, '127.0.0.1');
    near.write(
      'GET /sync HTTP/1.1\r\nhost: localhost\r\nconnection: upgrade\r\nupgrade: websocket\r\n\r\n',
    );
    const [, far] = await arrived;
    far.on('error', () => {}).resume();
    const ended = once(far, 'end');
    near.destroy();
    expect(await ended).toEqual([]);
  });
});
