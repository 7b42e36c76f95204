import {
  createDecipheriv,
  createECDH,
  createPublicKey,
  hkdfSync,
  randomBytes,
  randomUUID,
  verify,
} from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pushContent, type PushContent } from '#shared/push/contract.ts';

/** A push that the service accepted for a device, decrypted with the device's keys. */
export interface ReceivedPush {
  content: PushContent;
  headers: IncomingHttpHeaders;
}

/** A browser's subscription at the service. */
export interface TestDevice {
  /** The subscription that the browser sends to the API. */
  subscription: { endpoint: string; keys: { p256dh: string; auth: string } };
  received: ReceivedPush[];
  /** Answers this status instead of accepting. @param times how often; always by default */
  answer(status: number, times?: number, headers?: Record<string, string>): void;
  /** How many requests arrived, also those that were not accepted. */
  requests: number;
}

export interface PushService {
  origin: string;
  device(): TestDevice;
  close(): Promise<void>;
}

/**
 * Starts a push service (RFC 8030) on this machine. It verifies the VAPID signature (RFC 8292) and decrypts what it accepts
 * (RFC 8291), as push service and browser do together.
 * @param accepted called after each push that was accepted for a device
 */
export async function startPushService(
  accepted: (endpoint: string) => void = () => {},
): Promise<PushService> {
  const devices = new Map<
    string,
    TestDevice & {
      keys: ReturnType<typeof createKeys>;
      failures: number[];
      failureHeaders: Record<string, string>;
    }
  >();
  let origin = '';
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const device = devices.get(request.url ?? '');
      if (!device || request.method !== 'POST') return response.writeHead(404).end();
      device.requests += 1;
      const failure = device.failures.length > 1 ? device.failures.shift() : device.failures[0];
      if (failure) return response.writeHead(failure, device.failureHeaders).end();
      if (!isSigned(request.headers.authorization ?? '', origin))
        return response.writeHead(403).end();
      const text = decrypt(Buffer.concat(chunks), device.keys);
      device.received.push({
        content: pushContent.parse(JSON.parse(text)),
        headers: request.headers,
      });
      accepted(device.subscription.endpoint);
      return response.writeHead(201).end();
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    origin,
    device() {
      const path = `/push/${randomUUID()}`;
      const keys = createKeys();
      const failures: number[] = [];
      const device = {
        subscription: {
          endpoint: `${origin}${path}`,
          keys: {
            p256dh: keys.ecdh.getPublicKey('base64url'),
            auth: keys.auth.toString('base64url'),
          },
        },
        received: [],
        requests: 0,
        keys,
        failures,
        failureHeaders: {} as Record<string, string>,
        answer(status: number, times = Infinity, headers: Record<string, string> = {}) {
          device.failureHeaders = headers;
          failures.splice(0, failures.length);
          if (times === Infinity) failures.push(status);
          else failures.push(...Array.from({ length: times }, () => status), 0);
        },
      };
      devices.set(path, device);
      return device;
    },
    async close() {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}

function createKeys() {
  const ecdh = createECDH('prime256v1');
  ecdh.generateKeys();
  return { ecdh, auth: randomBytes(16) };
}

/** Verifies `vapid t=<JWT>, k=<public key>`. */
function isSigned(authorization: string, audience: string): boolean {
  const [, token = '', key = ''] = /^vapid t=([^,]+), ?k=(.+)$/.exec(authorization) ?? [];
  const [head = '', body = '', signature = ''] = token.split('.');
  const point = Buffer.from(key, 'base64url');
  const publicKey = createPublicKey({
    format: 'jwk',
    key: {
      kty: 'EC',
      crv: 'P-256',
      x: point.subarray(1, 33).toString('base64url'),
      y: point.subarray(33, 65).toString('base64url'),
    },
  });
  const claims = JSON.parse(Buffer.from(body, 'base64url').toString()) as Record<string, unknown>;
  return (
    claims['aud'] === audience &&
    Number(claims['exp']) * 1000 > Date.now() &&
    verify(
      'sha256',
      Buffer.from(`${head}.${body}`),
      { key: publicKey, dsaEncoding: 'ieee-p1363' },
      Buffer.from(signature, 'base64url'),
    )
  );
}

/** Decrypts a message of one record in the content coding `aes128gcm` (RFC 8188, RFC 8291). */
function decrypt(body: Buffer, { ecdh, auth }: ReturnType<typeof createKeys>): string {
  const salt = body.subarray(0, 16);
  const idLength = body[20] ?? 0;
  const sender = body.subarray(21, 21 + idLength);
  const record = body.subarray(21 + idLength);
  const info = Buffer.concat([Buffer.from('WebPush: info\0'), ecdh.getPublicKey(), sender]);
  const material = Buffer.from(hkdfSync('sha256', ecdh.computeSecret(sender), auth, info, 32));
  const derive = (name: string, length: number) =>
    Buffer.from(hkdfSync('sha256', material, salt, `Content-Encoding: ${name}\0`, length));
  const decipher = createDecipheriv('aes-128-gcm', derive('aes128gcm', 16), derive('nonce', 12));
  decipher.setAuthTag(record.subarray(-16));
  const padded = Buffer.concat([decipher.update(record.subarray(0, -16)), decipher.final()]);
  // The text ends before the last byte 2; zeros follow.
  return padded.subarray(0, padded.lastIndexOf(2)).toString('utf8');
}
