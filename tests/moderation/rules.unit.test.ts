import { describe, expect, test } from 'vitest';
import {
  guidelineCategory,
  moderationSeverity,
  reportStatus,
  reportType,
  warningSeverity,
} from '#shared/moderation/contract.ts';
import { actionTaken, ruleAction } from '#shared/moderation/rules-contract.ts';
import { isInForce, nextSanction, activeSanctions } from '#shared/moderation/rules.ts';
import type { WarningType } from '#shared/moderation/rules.ts';

const NOW = Date.parse('2026-06-01T12:00:00.000Z');
const at = (ms: number) => new Date(NOW + ms).toISOString();
const sanction = (
  warning_type: WarningType,
  expires_at: string | null = at(1_000),
  lifted_at: string | null = null,
) => ({ warning_type, expires_at, lifted_at, issued_by_admin: true });

describe('nextSanction', () => {
  test('proposes a warning first, then a restriction, then a suspension', () => {
    expect(nextSanction([], 'ordinary', NOW)).toBe('warning');
    expect(nextSanction([sanction('warning')], 'ordinary', NOW)).toBe('restriction');
    expect(nextSanction([sanction('restriction'), sanction('warning')], 'ordinary', NOW)).toBe(
      'suspension',
    );
  });

  test('proposes a suspension for serious and a termination for illegal content, regardless of history', () => {
    expect(nextSanction([], 'serious', NOW)).toBe('suspension');
    expect(nextSanction([], 'illegal', NOW)).toBe('termination');
  });

  test('ignores sanctions that were lifted, expired or automatic', () => {
    const past = [sanction('warning', at(0)), sanction('restriction', null, at(-5))];
    expect(nextSanction(past, 'ordinary', NOW)).toBe('warning');
    const automatic = { ...sanction('warning'), issued_by_admin: false };
    expect(nextSanction([automatic], 'ordinary', NOW)).toBe('warning');
  });
});

test('a sanction is in force until it expires or is lifted', () => {
  expect(isInForce(sanction('restriction', at(1)), NOW)).toBe(true);
  expect(isInForce(sanction('restriction', at(0)), NOW)).toBe(false);
  expect(isInForce(sanction('termination', null), NOW)).toBe(true);
  expect(isInForce(sanction('termination', null, at(-1)), NOW)).toBe(false);
});

test('the active sanction is the one that ends last', () => {
  const short = sanction('restriction', at(1_000));
  const long = sanction('restriction', at(9_000));
  const forGood = sanction('termination', null);
  expect(activeSanctions([short, long], NOW)).toEqual({ restriction: long, suspension: null });
  expect(activeSanctions([sanction('suspension'), forGood, sanction('warning')], NOW)).toEqual({
    restriction: null,
    suspension: forGood,
  });
});

test('the enumerations are those of the specification', () => {
  expect(reportType.options).toEqual([
    'inappropriate_content',
    'harassment',
    'illegal_activity',
    'spam',
    'underage_content',
    'drugs',
    'violence',
    'animal_abuse',
    'other',
  ]);
  expect(reportStatus.options).toEqual(['pending', 'reviewed', 'resolved', 'dismissed']);
  expect(guidelineCategory.options).toEqual([
    'respectful_communication',
    'safety_first',
    'no_illegal_content',
    'protect_minors',
    'animal_welfare',
    'no_harassment',
    'spam_prevention',
  ]);
  expect(moderationSeverity.options).toEqual(['critical', 'high', 'medium', 'low']);
  expect(warningSeverity.options).toEqual(['minor', 'moderate', 'severe']);
  expect(ruleAction.options).toEqual(['flag', 'block', 'auto_delete', 'require_review']);
  // 'hidden', while a message waits for a moderator, is ours.
  expect(actionTaken.options).toEqual(['flagged', 'blocked', 'hidden', 'deleted', 'warning_sent']);
});
