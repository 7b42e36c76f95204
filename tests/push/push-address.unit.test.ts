import { promisify } from 'node:util';
import { expect, test, vi } from 'vitest';
import { z } from 'zod';
import { isAllowedEndpoint, publicLookup } from '../../api/platform/push/push-address.ts';
import { pushVariables } from '../../api/platform/push/settings.ts';

vi.mock('node:dns', () => ({
  lookup: (
    hostname: string,
    _options: object,
    callback: (error: Error | null, addresses?: { address: string; family: number }[]) => void,
  ) => {
    const known: Record<string, string[]> = {
      'push.example.com': ['93.184.216.34', '2606:2800:220:1::1'],
      'rebound.example.com': ['93.184.216.34', '10.0.0.5'],
      'mapped.example.com': ['::ffff:127.0.0.1'],
      localhost: ['127.0.0.1'],
    };
    const addresses = known[hostname]?.map((address) => ({
      address,
      family: address.includes(':') ? 6 : 4,
    }));
    if (addresses) callback(null, addresses);
    else callback(new Error('not found'));
  },
}));

test.each([
  ['https://fcm.googleapis.com/fcm/send/abc', true],
  ['https://updates.push.services.mozilla.com/wpush/v2/abc', true],
  ['https://web.push.apple.com/abc', true],
  ['https://93.184.216.34/abc', true],
  ['http://fcm.googleapis.com/abc', false],
  ['https://fcm.googleapis.com:8443/abc', false],
  ['https://user@fcm.googleapis.com/abc', false],
  ['https://localhost/abc', false],
  ['https://127.0.0.1/abc', false],
  ['https://0x7f.1/abc', false],
  ['https://10.1.2.3/abc', false],
  ['https://100.64.0.1/abc', false],
  ['https://169.254.169.254/abc', false],
  ['https://0.0.0.0/abc', false],
  ['https://[::1]/abc', false],
  ['https://[::ffff:10.0.0.1]/abc', false],
  ['https://[64:ff9b::a00:1]/abc', false],
  ['https://[fe80::1]/abc', false],
  ['https://mongodb-1/abc', false],
  ['file:///etc/passwd', false],
  ['nonsense', false],
])('an endpoint at %s is allowed: %s', (endpoint, isAllowed) => {
  expect(isAllowedEndpoint(endpoint, { services: ['*'], allowLoopback: false })).toBe(isAllowed);
});

test.each([
  ['https://fcm.googleapis.com/fcm/send/abc', true],
  ['https://updates.push.services.mozilla.com/wpush/v2/abc', true],
  ['https://web.push.apple.com/abc', true],
  ['https://wns2-par02p.notify.windows.com/w/?token=abc', true],
  ['https://notify.windows.com/abc', false],
  ['https://evil.example/abc', false],
  ['https://fcm.googleapis.com.evil.example/abc', false],
  ['https://evilpush.apple.com/abc', false],
  ['https://evil-push.apple.com.example/abc', false],
  ['https://93.184.216.34/abc', false],
  ['https://fcm.googleapis.com./abc', false],
])('by default, an endpoint at %s is of a known push service: %s', (endpoint, isKnown) => {
  const { PUSH_SERVICES: services } = z.object(pushVariables).parse({});
  expect(isAllowedEndpoint(endpoint, { services, allowLoopback: false })).toBe(isKnown);
});

test('the known push services are configurable', () => {
  const { PUSH_SERVICES: services } = z
    .object(pushVariables)
    .parse({ PUSH_SERVICES: 'Push.Example.com, *.ntfy.example' });
  const isKnown = (endpoint: string) =>
    isAllowedEndpoint(endpoint, { services, allowLoopback: false });
  expect(isKnown('https://push.example.com/abc')).toBe(true);
  expect(isKnown('https://eu.ntfy.example/abc')).toBe(true);
  expect(isKnown('https://fcm.googleapis.com/abc')).toBe(false);
  expect(z.object(pushVariables).safeParse({ PUSH_SERVICES: 'https://a.example/' }).success).toBe(
    false,
  );
});

test('a push service on this machine is allowed only in the sandbox, other private addresses never', () => {
  const sandbox = { services: ['*'], allowLoopback: true };
  expect(isAllowedEndpoint('http://127.0.0.1:4000/abc', sandbox)).toBe(true);
  expect(isAllowedEndpoint('http://localhost:4000/abc', sandbox)).toBe(true);
  expect(isAllowedEndpoint('https://10.0.0.1/abc', sandbox)).toBe(false);
  expect(isAllowedEndpoint('http://10.0.0.1/abc', sandbox)).toBe(false);
});

test('a name that resolves to a private address is refused when connecting', async () => {
  const resolve = promisify(publicLookup(false)) as (
    name: string,
    options: object,
  ) => Promise<unknown>;
  expect(await resolve('push.example.com', { all: true })).toHaveLength(2);
  for (const name of ['rebound.example.com', 'mapped.example.com', 'localhost'])
    await expect(resolve(name, { all: true })).rejects.toThrow('private network');
  const inSandbox = promisify(publicLookup(true)) as typeof resolve;
  expect(await inSandbox('localhost', { all: true })).toHaveLength(1);
  await expect(inSandbox('rebound.example.com', { all: true })).rejects.toThrow('private network');
});
