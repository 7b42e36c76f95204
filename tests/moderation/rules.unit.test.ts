import { describe, expect, test } from 'vitest';
import { isInForce, nextSanction, activeSanctions } from '#shared/moderation/rules.ts';
import type { WarningType } from '#shared/moderation/contract.ts';

const NOW = Date.parse('2026-06-01T12:00:00.000Z');
const at = (ms: number) => new Date(NOW + ms).toISOString();
const measure = (
  warning_type: WarningType,
  expires_at: string | null = at(1_000),
  lifted_at: string | null = null,
) => ({ warning_type, expires_at, lifted_at, issued_by_admin: true });

describe('the ladder of consequences', () => {
  test('first a warning, then a restriction, then a suspension', () => {
    expect(nextSanction([], 'ordinary', NOW)).toBe('warning');
    expect(nextSanction([measure('warning')], 'ordinary', NOW)).toBe('restriction');
    expect(nextSanction([measure('restriction'), measure('warning')], 'ordinary', NOW)).toBe(
      'suspension',
    );
  });

  test('what is serious is a suspension, what is illegal a termination, whatever was before', () => {
    expect(nextSanction([], 'serious', NOW)).toBe('suspension');
    expect(nextSanction([], 'illegal', NOW)).toBe('termination');
  });

  test('what was lifted, or is long ago, does not count', () => {
    const gone = [measure('warning', at(0)), measure('restriction', null, at(-5))];
    expect(nextSanction(gone, 'ordinary', NOW)).toBe('warning');
    const automatic = { ...measure('warning'), issued_by_admin: false };
    expect(nextSanction([automatic], 'ordinary', NOW)).toBe('warning');
  });
});

test('a measure holds until it ends or is lifted', () => {
  expect(isInForce(measure('restriction', at(1)), NOW)).toBe(true);
  expect(isInForce(measure('restriction', at(0)), NOW)).toBe(false);
  expect(isInForce(measure('termination', null), NOW)).toBe(true);
  expect(isInForce(measure('termination', null, at(-1)), NOW)).toBe(false);
});

test('of several the one that ends last holds', () => {
  const short = measure('restriction', at(1_000));
  const long = measure('restriction', at(9_000));
  const forGood = measure('termination', null);
  expect(activeSanctions([short, long], NOW)).toEqual({ restriction: long, suspension: null });
  expect(activeSanctions([measure('suspension'), forGood, measure('warning')], NOW)).toEqual({
    restriction: null,
    suspension: forGood,
  });
});
