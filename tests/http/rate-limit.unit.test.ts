import type { Db } from 'mongodb';
import { describe, expect, test } from 'vitest';
import { createLimiters, readRates } from '../../api/platform/http/rate-limit.ts';
import { networkOf } from '../../api/platform/http/request-origin.ts';

const limiter = (points: number) =>
  createLimiters({} as Db, 1)({ name: 'attempts', points, seconds: 3_600 });

/** Returns how many of these addresses are admitted, with one attempt each. */
async function countAdmitted(
  limit: ReturnType<typeof limiter>,
  addresses: string[],
): Promise<number> {
  let count = 0;
  for (const address of addresses) if (await limit.admits(networkOf(address))) count++;
  return count;
}

const numbers = (count: number) => Array.from({ length: count }, (_, index) => index);

describe('a rate limit by network', () => {
  test('addresses in one IPv6 /64 share a limit', async () => {
    const limit = limiter(5);
    const addresses = numbers(20).map((n) => `2001:db8:0:1::${n.toString(16)}`);
    expect(await countAdmitted(limit, addresses)).toBe(5);
  });

  test('an IPv6 /56 gets four times the limit, for any number of /64s', async () => {
    const limit = limiter(5);
    const addresses = numbers(200).map((n) => `2001:db8:0:${n.toString(16)}::1`);
    expect(await countAdmitted(limit, addresses)).toBe(20);
  });

  test('an IPv6 /48 gets sixteen times the limit, separate from the next /48', async () => {
    const limit = limiter(5);
    const addresses = numbers(1_000).map((n) => `2001:db8:0:${(n * 64).toString(16)}::1`);
    expect(await countAdmitted(limit, addresses)).toBe(80);
    expect(await limit.admits(networkOf('2001:db8:1::1'))).toBe(true);
  });

  test('a refused /64 does not use up the limits of its neighbors', async () => {
    const limit = limiter(5);
    const flood = numbers(100).map(() => '2001:db8:0:1::1');
    expect(await countAdmitted(limit, flood)).toBe(5);
    expect(await countAdmitted(limit, ['2001:db8:0:2::1', '2001:db8:0:3::1'])).toBe(2);
  });

  test('counts IPv4 addresses individually in either notation', async () => {
    const limit = limiter(5);
    const addresses = numbers(8).map((n) => (n % 2 ? '203.0.113.5' : '::ffff:203.0.113.5'));
    expect(await countAdmitted(limit, addresses)).toBe(5);
    expect(await limit.admits(networkOf('203.0.113.6'))).toBe(true);
  });

  test('refuses with the time to wait', async () => {
    const limit = limiter(1);
    const network = networkOf('2001:db8::1');
    await limit(network);
    await expect(limit.check(network)).rejects.toMatchObject({
      status: 429,
      headers: { 'retry-after': expect.stringMatching(/^\d+$/) as string },
    });
    await limit.giveBack(network);
    await limit.check(network);
  });
});

describe('the declared limits', () => {
  test('two limits can’t have one name, because they would count together', () => {
    const limiters = createLimiters({} as Db, 1);
    limiters({ name: 'attempts', points: 5, seconds: 60 });
    expect(() => limiters({ name: 'attempts', points: 9, seconds: 60 })).toThrow(
      'two limits have the name attempts',
    );
    expect([...limiters.declared.values()].map((each) => each.limit)).toEqual([
      { name: 'attempts', points: 5, seconds: 60 },
    ]);
  });

  test('another scale applies to all limits at once, and counts from zero', async () => {
    const limiters = createLimiters({} as Db, 1);
    const limit = limiters({ name: 'attempts', points: 10, seconds: 3_600 });
    const address = '203.0.113.5';
    expect(
      await countAdmitted(
        limit,
        Array.from({ length: 12 }, () => address),
      ),
    ).toBe(10);
    limiters.setScale(0.2);
    expect(
      await countAdmitted(
        limit,
        Array.from({ length: 12 }, () => address),
      ),
    ).toBe(2);
  });
});

test('RATE_LIMITS changes single limits, and names all where one is unknown', async () => {
  const rates = readRates(' sign-in=2/60, POST /hazards/:id=5/3600 ,');
  expect(rates).toEqual(
    new Map([
      ['sign-in', { points: 2, seconds: 60 }],
      ['POST /hazards/:id', { points: 5, seconds: 3600 }],
    ]),
  );
  for (const wrong of ['sign-in', 'sign-in=0/60', 'sign-in=2', '=2/60', 'sign-in=-1/60'])
    expect(readRates(wrong)).toBeNull();

  const limiters = createLimiters({} as Db, 1, rates!);
  const limit = limiters({ name: 'sign-in', points: 100, seconds: 1 });
  expect(() => limiters.checkChanges()).toThrow(
    'RATE_LIMITS: no limit is called POST /hazards/:id. All limits: sign-in=100/1',
  );
  await limit('Sam');
  await limit('Sam');
  await expect(limit('Sam')).rejects.toMatchObject({ status: 429 });
  limiters({ name: 'POST /hazards/:id', points: 1, seconds: 1 });
  expect(() => limiters.checkChanges()).not.toThrow();
});

test('a limit of a month counts for as long as memory can', async () => {
  const limit = createLimiters(
    {} as Db,
    1,
    readRates('sign-in=1/2592000')!,
  )({
    name: 'sign-in',
    points: 100,
    seconds: 1,
  });
  expect(await limit.admits('somebody')).toBe(true);
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(await limit.admits('somebody')).toBe(false);
});
