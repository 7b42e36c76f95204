import http from 'node:http';
import https from 'node:https';
import webPush from 'web-push';
import type { PushContent } from '#shared/push/contract.ts';
import { retryAfterMs } from '#shared/retry-after.ts';
import { HOUR_MS } from '#shared/time.ts';
import { hashText } from '../hash.ts';
import { NotSent } from '../mail-queue/sender.ts';
import type { PushSubscriptionRow } from './collections.ts';
import { isAllowedEndpoint, publicLookup, type PushAddresses } from './push-address.ts';
import type { VapidKeys } from './vapid-keys.ts';

/** How a push is sent. */
export interface PushDelivery {
  content: PushContent;
  /** How long the push service stores it for a device that is off; in seconds. */
  ttlSeconds: number;
  urgency: 'normal' | 'high';
}

/** Hands pushes to the push service of a browser. */
export interface PushSender {
  /** @throws NotSent; `isOptOut` if the subscription has ended */
  send(
    to: Pick<PushSubscriptionRow, 'endpoint' | 'p256dh' | 'auth'>,
    delivery: PushDelivery,
  ): Promise<void>;
}

interface Agents {
  http: http.Agent;
  https: https.Agent;
}

const TIMEOUT_MS = 5_000;
/** More of an answer is not read. */
const ANSWER_MAX_BYTES = 64_000;
const IDLE_MS = 30_000;
/** The subscription has expired, or the browser has unsubscribed. */
const ENDED = [404, 410];
/** RFC 8292 allows a day; a signature is used for half of this. */
const SIGNED_FOR_MS = 12 * HOUR_MS;
const SIGNATURES_MAX = 1_000;
/** Push services replace a waiting push by a later one with the same topic; at most 32 characters. */
const TOPIC_LENGTH = 32;

/** Sends pushes with RFC 8030 (delivery), 8291 (encryption) and 8292 (VAPID), through `web-push`. */
export function createPushSender(
  keys: VapidKeys,
  subject: string,
  addresses: PushAddresses,
): PushSender {
  const options = {
    keepAlive: true,
    timeout: IDLE_MS,
    lookup: publicLookup(addresses.allowLoopback),
  };
  // Connecting to a push service takes longer than encrypting a push.
  const agents = { http: new http.Agent(options), https: new https.Agent(options) };
  /** By origin of a push service: signing takes longer than anything else here. */
  const signatures = new Map<string, { value: string; until: number }>();
  function signatureFor(origin: string): string {
    const known = signatures.get(origin);
    if (known && known.until > Date.now()) return known.value;
    const expiresAt = Date.now() + SIGNED_FOR_MS;
    const { Authorization } = webPush.getVapidHeaders(
      origin,
      subject,
      keys.publicKey,
      keys.privateKey,
      'aes128gcm',
      Math.floor(expiresAt / 1000),
    );
    if (signatures.size >= SIGNATURES_MAX) signatures.clear();
    signatures.set(origin, { value: Authorization, until: expiresAt - SIGNED_FOR_MS / 2 });
    return Authorization;
  }
  return {
    async send({ endpoint, p256dh, auth }, { content, ttlSeconds, urgency }) {
      if (!isAllowedEndpoint(endpoint, addresses))
        throw new NotSent('endpoint not allowed', { isOptOut: true });
      const details = webPush.generateRequestDetails(
        { endpoint, keys: { p256dh, auth } },
        JSON.stringify(content),
        {
          headers: { Authorization: signatureFor(new URL(endpoint).origin) },
          TTL: ttlSeconds,
          urgency,
          topic: hashText(content.tag, TOPIC_LENGTH),
          contentEncoding: 'aes128gcm',
        },
      );
      const { status, waitMs } = await post(endpoint, details, agents)
        .catch((error: unknown) => {
          if (error instanceof StaleConnection) return post(endpoint, details, agents);
          throw error;
        })
        .catch((cause: unknown) => {
          throw new NotSent('the push service did not answer', { cause });
        });
      if (status >= 200 && status < 300) return;
      throw new NotSent(`push service ${status}`, {
        isOptOut: ENDED.includes(status),
        // The others are temporary, or about our keys, which an operator can fix.
        isFinal: [400, 413].includes(status),
        retryAfterMs: waitMs,
      });
    },
  };
}

/** What a request gets on a connection that was closed at the other end. */
const CLOSED = new Set(['ECONNRESET', 'EPIPE']);

/** A connection that was used before failed: the push service may have closed it while it was idle. */
class StaleConnection extends Error {}

/** Sends one request without following redirects. @throws StaleConnection, or why there is no answer */
function post(
  endpoint: string,
  { headers, body }: Pick<webPush.RequestDetails, 'headers' | 'body'>,
  agents: Agents,
): Promise<{ status: number; waitMs: number | null }> {
  return new Promise((done, fail) => {
    const isSecure = endpoint.startsWith('https:');
    const { request } = isSecure ? https : http;
    const agent = isSecure ? agents.https : agents.http;
    const signal = AbortSignal.timeout(TIMEOUT_MS);
    const sent = request(endpoint, { method: 'POST', headers, signal, agent });
    sent.on('response', (response) => {
      const get = (name: string) => response.headers[name]?.toString() ?? null;
      done({ status: response.statusCode ?? 0, waitMs: retryAfterMs({ get }) });
      // The connection can be used again when the answer was read, which is short.
      let unread = ANSWER_MAX_BYTES;
      response.on('error', () => {});
      response.on('data', ({ length }: Buffer) => {
        unread -= length;
        if (unread < 0) response.destroy();
      });
    });
    // An idle connection may have been closed at the other end.
    sent.on('error', (cause: NodeJS.ErrnoException) =>
      fail(
        sent.reusedSocket && CLOSED.has(cause.code ?? '')
          ? new StaleConnection('closed', { cause })
          : cause,
      ),
    );
    sent.end(body);
  });
}
