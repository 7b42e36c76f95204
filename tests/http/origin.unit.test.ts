import type { Context } from 'koa';
import { describe, expect, test } from 'vitest';
import { isHostOf, isOwnOrigin } from '#shared/server/public-origin.ts';
import { addressOf, networkOf, originOf } from '../../api/http/request-origin.ts';

const request = (peer: string, headers: Record<string, string> = {}) =>
  ({
    req: { socket: { remoteAddress: peer } },
    get: (name: string) => headers[name] ?? '',
  }) as unknown as Context;

describe('the address of a caller', () => {
  test.each([
    ['a direct connection', '203.0.113.5', '', '203.0.113.5'],
    ['a direct client with a forged header', '203.0.113.5', '198.51.100.1', '203.0.113.5'],
    ['the gateway', '127.0.0.1', '203.0.113.5', '203.0.113.5'],
    ['the gateway, over IPv6', '::ffff:127.0.0.1', '2001:db8::7', '2001:db8::7'],
    ['gateway and TLS', '127.0.0.1', '203.0.113.5, 10.0.0.2', '203.0.113.5'],
    ['a forged first address', '127.0.0.1', '1.2.3.4, 203.0.113.5', '203.0.113.5'],
    ['a phone on the LAN', '127.0.0.1', '192.168.1.9', '192.168.1.9'],
    ['a malformed header', '127.0.0.1', 'x, <script>', '127.0.0.1'],
  ])('finds the caller’s address with %s', (_name, peer, forwardedFor, expected) => {
    expect(addressOf(request(peer, { 'x-forwarded-for': forwardedFor }))).toBe(expected);
  });
});

describe('networks for rate limits', () => {
  test.each([
    ['203.0.113.5', ['203.0.113.5']],
    ['::ffff:203.0.113.5', ['203.0.113.5']],
    ['::ffff:cb00:7105', ['203.0.113.5']],
    ['2001:db8:1:2:3:4:5:6', ['2001:db8:1:2::/64', '2001:db8:1::/56', '2001:db8:1::/48']],
    ['2001:db8:1:2ff:ffff::1', ['2001:db8:1:2ff::/64', '2001:db8:1:200::/56', '2001:db8:1::/48']],
    ['2001:0db8::7', ['2001:db8::/64', '2001:db8::/56', '2001:db8::/48']],
    ['::1', ['::/64', '::/56', '::/48']],
    ['fe80::1%eth0', ['fe80::/64', 'fe80::/56', 'fe80::/48']],
    ['', ['']],
  ])('%s counts for the networks %s', (address, network) => {
    expect(networkOf(address)).toEqual(network);
  });
});

describe('the own origin', () => {
  test.each([
    ['https://walks.example', 'walks.example', 'https://walks.example'],
    ['https://walks.example', 'localhost:3000', 'https://walks.example'],
    ['https://walks.example', '', 'https://walks.example'],
    ['http://localhost:3000', 'localhost:3000', 'http://localhost:3000'],
    ['http://localhost:3000', '127.0.0.1:3000', 'http://127.0.0.1:3000'],
    ['http://localhost:3000', '[::1]:3000', 'http://[::1]:3000'],
    ['http://localhost:3000', 'localhost.evil.example', 'http://localhost:3000'],
  ])('the origin of %s requested as %j', (publicOrigin, host, expected) => {
    expect(originOf(request('127.0.0.1', { host }), publicOrigin)).toBe(expected);
  });
});

describe('the host of a request', () => {
  test.each([
    ['https://walks.example', 'walks.example', true],
    ['https://walks.example', 'Walks.Example:443', true],
    ['https://walks.example', 'walks.example:80', false],
    ['https://walks.example', 'walks.example.', false],
    ['https://walks.example', 'evil.example', false],
    ['https://walks.example', 'evil@walks.example', false],
    ['https://walks.example', 'localhost', false],
    ['https://walks.example', '127.0.0.1:3001', false],
    ['https://walks.example', '', false],
    ['https://walks.example', undefined, false],
    ['http://localhost:3000', 'localhost:3000', true],
    ['http://localhost:3000', '127.0.0.1:3001', true],
    ['http://localhost:3000', '[::1]:3000', true],
    ['http://localhost:3000', '192.168.1.5:3000', false],
    // A name of another site that resolves to this machine (DNS rebinding).
    ['http://localhost:3000', 'localhost.evil.example:3000', false],
    ['http://localhost:3000', '127.0.0.1.evil.example', false],
  ])('whether %s accepts the host %j: %s', (publicOrigin, host, expected) => {
    expect(isHostOf(publicOrigin, host)).toBe(expected);
  });

  test('an accepted host does not allow another scheme of the public origin', () => {
    const own = 'https://walks.example';
    expect(isOwnOrigin(own, own, 'walks.example')).toBe(true);
    expect(isOwnOrigin(own, 'http://walks.example', 'walks.example')).toBe(false);
  });
});
