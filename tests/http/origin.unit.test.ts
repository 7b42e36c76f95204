import type { Context } from 'koa';
import { describe, expect, test } from 'vitest';
import { clientAddress } from '#shared/server/client-address.ts';
import { isHostOf, isOwnOrigin } from '#shared/server/public-origin.ts';
import {
  addressOf,
  networkOf,
  originOf,
  trustNamedCaller,
} from '../../api/platform/http/request-origin.ts';

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
    ['a forged first address', '127.0.0.1', '1.2.3.4, 203.0.113.5', '203.0.113.5'],
    ['a phone on the LAN', '127.0.0.1', '192.168.1.9', '192.168.1.9'],
    ['a malformed header', '127.0.0.1', 'x, <script>', '127.0.0.1'],
  ])('finds the caller’s address with %s', (_name, peer, forwardedFor, expected) => {
    expect(addressOf(request(peer, { 'x-forwarded-for': forwardedFor }))).toBe(expected);
  });

  test('finds the address that the gateway in this process names, whoever its peer is', () => {
    const proxied = request('203.0.113.5', { 'x-forwarded-for': '198.51.100.1' });
    trustNamedCaller(proxied.req);
    expect(addressOf(proxied)).toBe('198.51.100.1');
  });
});

describe('the address behind trusted proxies', () => {
  const behind = (trustedHops: number, forwardedFor: string | undefined) =>
    clientAddress({ peer: '127.0.0.1', forwardedFor, trustedHops });

  test.each([
    ['203.0.113.9', '203.0.113.9'],
    ['203.0.113.9:54321', '203.0.113.9'],
    [' 203.0.113.9 ', '203.0.113.9'],
    ['2001:db8::7', '2001:db8::7'],
    ['[2001:db8::7]', '2001:db8::7'],
    ['[2001:db8::7]:443', '2001:db8::7'],
    ['"[2001:db8::7]:443"', '2001:db8::7'],
    ['fe80::1%eth0', 'fe80::1'],
    ['[fe80::1%25eth0]:443', 'fe80::1'],
    ['::ffff:203.0.113.9', '::ffff:203.0.113.9'],
    // Not an address: the proxy's own counts.
    ['unknown', '127.0.0.1'],
    ['_hidden', '127.0.0.1'],
    ['', '127.0.0.1'],
    [',', '127.0.0.1'],
    ['2001:db8::7]:443', '127.0.0.1'],
    ['203.0.113.9:', '127.0.0.1'],
    ['0xcb007109', '127.0.0.1'],
    ['203.0.113.9 <script>', '127.0.0.1'],
  ])('%j is the address %s', (entry, expected) => {
    expect(behind(1, entry)).toBe(expected);
    // What the caller sent before never counts.
    expect(behind(1, `6.6.6.6, ${entry}`)).toBe(expected);
  });

  test.each([
    [0, '6.6.6.6', '127.0.0.1'],
    [1, undefined, '127.0.0.1'],
    [2, '203.0.113.9, 10.0.0.2', '203.0.113.9'],
    [2, '6.6.6.6, 203.0.113.9, 10.0.0.2', '203.0.113.9'],
    [2, '6.6.6.6, unknown, 10.0.0.2', '10.0.0.2'],
    [2, '6.6.6.6, unknown, unknown', '127.0.0.1'],
    // Past the outer proxy.
    [2, '203.0.113.9', '203.0.113.9'],
  ])('behind %i proxies, %j is from %s', (trustedHops, forwardedFor, expected) => {
    expect(behind(trustedHops, forwardedFor)).toBe(expected);
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
