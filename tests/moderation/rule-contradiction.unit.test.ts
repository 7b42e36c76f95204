import { expect, test } from 'vitest';
import { moderationSeverity } from '#shared/moderation/contract.ts';
import { ruleAction } from '#shared/moderation/rules-contract.ts';
import { DEFAULT_RULES } from '../../api/features/content-rules/default-rules.ts';
import { ruleContradiction } from '../../client/features/moderation/admin/rule-contradiction.ts';

test('names the combinations of severity and action that contradict each other', () => {
  const contradicting = moderationSeverity.options.flatMap((severity) =>
    ruleAction.options
      .filter((action) => ruleContradiction(severity, action) !== null)
      .map((action) => `${severity} ${action}`),
  );
  expect(contradicting).toEqual([
    'critical flag',
    'critical require_review',
    'high block',
    'high auto_delete',
    'medium block',
    'medium auto_delete',
    'low block',
    'low auto_delete',
  ]);
});

test('no default rule contradicts itself', () => {
  const contradicting = DEFAULT_RULES.filter(
    ({ rule_type, severity, action }) =>
      rule_type !== 'exception' && ruleContradiction(severity, action) !== null,
  );
  expect(contradicting).toEqual([]);
});
