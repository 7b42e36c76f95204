import { ServerResponse, type IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { createProxyServer } from 'httpxy';
import { PROXY_IDLE_MS, refuseSocket } from '#shared/server/connections.ts';
import { cookieName } from '#shared/server/cookie-names.ts';
import { SESSION_COOKIE } from '#shared/session/cookies.ts';
import { MINUTE_MS } from '#shared/time.ts';
import { NodePool } from './node-pool.ts';
import { withoutHops } from './request-headers.ts';
import { unavailable, unavailableHeaders, unavailableUpgrade } from './unavailable.ts';

const FIRST_BYTE_MS = MINUTE_MS;
const UPGRADE_MS = 15_000;

export interface ProxySettings {
  /** The ports of the nodes on this machine. */
  ports: number[];
  /** Where the nodes answer health checks. */
  healthPath: string;
  /** Decides the name of the session cookie. */
  publicOrigin: string;
  /** How long an idle connection to a node stays open. */
  idleMs?: number;
}

/** Forwards requests and WebSocket upgrades to the nodes of a role, streaming both ways; answers 503 while all are down. */
export function proxyTo(settings: ProxySettings) {
  const { ports, healthPath, idleMs = PROXY_IDLE_MS } = settings;
  const nodes = new NodePool({ ports, healthPath, idleMs });
  const proxy = createProxyServer();
  const targetOf = (port: number) => ({ protocol: 'http:', host: '127.0.0.1', port });

  proxy.on('proxyRes', (answer) => {
    // Event streams may pause for any time.
    answer.setTimeout(0);
    answer.headers = withoutHops(answer.headers);
  });
  proxy.on('error', (_error, request, response) => {
    if (!(response instanceof ServerResponse)) response?.end(unavailableUpgrade);
    else if (request) refuse(request, response);
  });
  proxy.on('proxyReqWs', (upstream, _request, near) => {
    // The browser may disconnect before the answer; only reading from its socket shows that.
    const leave = () => near.destroy();
    near.once('end', leave).once('close', () => upstream.destroy());
    near.read(0);
    upstream.once('upgrade', (_answer, far) => {
      near.off('end', leave).once('close', () => far.destroy());
      far.once('close', leave);
    });
  });

  return {
    async request(request: IncomingMessage, response: ServerResponse): Promise<void> {
      const key = () => keyOf(request, settings);
      const node = await nodes.connect(key).catch(() => null);
      if (response.destroyed) return;
      if (!node) return refuse(request, response);
      const options = { target: targetOf(node.port), agent: node.agent };
      // A rejection means that the browser has disconnected; the request was already canceled.
      await proxy
        .web(request, response, { ...options, proxyTimeout: FIRST_BYTE_MS })
        .catch(() => {});
    },
    async upgrade(request: IncomingMessage, socket: Socket, head: Buffer): Promise<void> {
      const node = await nodes.connect(() => keyOf(request, settings), true).catch(() => null);
      if (!node) {
        refuseSocket(socket, unavailableUpgrade);
        return;
      }
      if (socket.destroyed) {
        node.agent.destroy();
        return;
      }
      const options = { target: targetOf(node.port), agent: node.agent };
      await proxy
        .ws(request, socket, { ...options, upgradeTimeout: UPGRADE_MS }, head)
        .catch(() => {});
    },
    close: () => nodes.close(),
  };
}

/** Answers 503, or breaks off a response that has begun. */
function refuse(request: IncomingMessage, response: ServerResponse): void {
  if (response.headersSent) response.destroy();
  else response.writeHead(503, unavailableHeaders).end(unavailable);
  // Read the rest of the request, so that the connection can be used again.
  request.resume();
}

/** Returns what requests of one browser have in common: its session, or the address of a visitor. */
function keyOf(request: IncomingMessage, settings: ProxySettings): string {
  const name = cookieName(settings.publicOrigin, SESSION_COOKIE);
  const session = new RegExp(`(?:^|;\\s*)${name}=([^;]+)`).exec(request.headers.cookie ?? '')?.[1];
  return session ?? request.headers['x-forwarded-for']?.toString() ?? '';
}
