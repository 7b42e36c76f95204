import { describe, expect, test } from 'vitest';
import { outcomeOf } from '#shared/moderation/rules.ts';
import { filterOf } from '#shared/moderation/word-filter.ts';
import { DEFAULT_RULES } from '../../../api/features/content-rules/default-rules.ts';
import { EVASIONS } from './evasions.ts';
import { AMBIGUOUS, INNOCENT } from './innocent-sentences.ts';

const filter = filterOf(
  DEFAULT_RULES.flatMap(({ patterns, ...rule }) =>
    patterns.map((rule_pattern) => ({ ...rule, rule_pattern })),
  ),
);
const outcome = (text: string) => outcomeOf(filter(text));

describe('the default rules', () => {
  test('at least 200 innocent sentences and 200 evasions are tried', () => {
    expect(new Set(INNOCENT).size).toBeGreaterThanOrEqual(200);
    expect(new Set(Object.values(EVASIONS).flat()).size).toBeGreaterThanOrEqual(200);
  });

  test.each(INNOCENT)('send without a warning: %s', (text) => {
    expect(outcome(text)).toBe('sent');
  });

  test.each(AMBIGUOUS)('warn, but send: %s', (text) => {
    expect(outcome(text)).toBe('warned');
  });

  test('find their words in lower case, in capitals and at the start of a sentence', () => {
    const words = DEFAULT_RULES.flatMap(({ patterns }) => patterns).map((pattern) =>
      pattern.replaceAll('*', ''),
    );
    expect(words.length).toBeGreaterThan(100);
    const capitalized = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);
    for (const word of words)
      for (const written of [word.toUpperCase(), capitalized(word), `${capitalized(word)}.`])
        expect([written, outcome(written)]).toEqual([written, outcome(word)]);
  });

  test.each(Object.entries(EVASIONS).flatMap(([word, all]) => all.map((each) => [each, word])))(
    'find %j as “%s”',
    (evasion, word) => {
      expect(outcome(`So ${evasion} today`)).toBe(outcome(word));
    },
  );
});
