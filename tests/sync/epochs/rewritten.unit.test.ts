import { next as A } from '@automerge/automerge';
import { expect, test } from 'vitest';
import { documentLimits, isEpochDue } from '#shared/sync/limits.ts';
import { rewrittenDocument } from '../../../sync-server/core/documents/named-changes.ts';

const text = (value: string) => new A.ImmutableString(value);
const entries = (count: number) =>
  Object.fromEntries(
    Array.from({ length: count }, (_, i) => [`e${i}`, { name: text(`n${i}`), at: text('2026') }]),
  );

test('a document with many values has them once, in changes as of devices, and is not due again at once', () => {
  const { operationsPerChange } = documentLimits.account;
  const value = { kind: text('account'), quiet_places: entries(2_600), sounds: entries(2_600) };
  const before = A.from(value);
  const { saved } = rewrittenDocument('d', A.save(before));
  const after = A.load(saved);
  expect(A.toJS(after)).toEqual(A.toJS(before));
  const { numOps, numChanges, numActors } = A.stats(after);
  expect(numOps).toBe(A.stats(before).numOps);
  const sizes = A.getAllChanges(after).map((change) => A.decodeChange(change).ops.length);
  expect(Math.max(...sizes)).toBeLessThanOrEqual(operationsPerChange);
  const size = { numOps, numChanges, numActors };
  expect(isEpochDue(size, saved.length, documentLimits.account)).toBe(false);
});
