import { describe, expect, test } from 'vitest';
import type { UserWarning } from '#shared/moderation/contract.ts';
import { inOrder, meaningOf, titleOf } from '../../client/features/moderation/sanction-text.ts';

const NOW = Date.parse('2026-11-21T12:00:00Z');
const warning = (changes: Partial<UserWarning>): UserWarning => ({
  id: 'w',
  warning_type: 'restriction',
  reason: 'x',
  severity: 'minor',
  issued_by_admin: true,
  created_at: '2026-09-01T12:00:00.000Z',
  expires_at: '2026-12-01T12:00:00.000Z',
  is_acknowledged: true,
  lifted_at: null,
  appeal: null,
  ...changes,
});

describe('texts of a sanction', () => {
  test('describes an active sanction in the present tense', () => {
    const holds = warning({});
    expect(titleOf(holds, NOW)).toBe('You can’t send messages for now');
    expect(meaningOf(holds, NOW)).toMatch(/^You can still read your messages/);
  });

  test('says when a sanction ended, or that it was revoked', () => {
    const over = warning({ expires_at: '2026-10-03T12:00:00.000Z' });
    expect(titleOf(over, NOW)).toBe('Messaging restriction, expired');
    expect(meaningOf(over, NOW)).toMatch(/^It ended on .*October.*\.$/);
    const suspension = warning({ ...over, warning_type: 'suspension' });
    expect(titleOf(suspension, NOW)).toBe('Suspension, expired');
    expect(titleOf(warning({ ...over, lifted_at: '2026-10-01T12:00:00.000Z' }), NOW)).toBe(
      'Messaging restriction, revoked',
    );
  });

  test('announces a restriction for the next time only after a moderator’s warning', () => {
    const first = warning({ warning_type: 'warning' });
    expect(meaningOf(first, NOW)).toContain(
      'If it happens again, you won’t be able to send messages',
    );
    expect(meaningOf({ ...first, issued_by_admin: false }, NOW)).not.toContain('again');
  });
});

test('lists unacknowledged sanctions first and never leaves out the active one', () => {
  const all = Array.from({ length: 6 }, (_, i) => warning({ id: `w${i}` }));
  const unseen = all.slice(5);
  const restriction = all[4] ?? null;
  const ids = (most: number) => inOrder(all, unseen, restriction, most).map(({ id }) => id);
  expect(ids(2)).toEqual(['w5', 'w0', 'w1', 'w4']);
  expect(ids(Infinity)).toEqual(['w5', 'w0', 'w1', 'w2', 'w3', 'w4']);
});
