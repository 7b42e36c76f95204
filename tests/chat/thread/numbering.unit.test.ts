import { expect, test } from 'vitest';
import { Numbering } from '../../../client/features/chat/thread/numbering.ts';

const segment = (...seqs: number[]) => [{ after: 0, messages: seqs.map((seq) => ({ seq })) }];

test('gives no number twice, also after the message that had it was removed', () => {
  const numbering = new Numbering();
  const first = numbering.next('thread', segment(4));
  expect(first).toBeGreaterThan(4);
  // It was unsent: receipts of the friend's that name it must not cover the next one.
  expect(numbering.next('thread', segment(4))).toBeGreaterThan(first);
});

test('numbers each thread by itself, after all that is there', () => {
  const numbering = new Numbering();
  const first = numbering.next('one', segment(7));
  expect(numbering.next('two', segment())).toBeLessThan(first);
  expect(numbering.next('one', segment(first + 5))).toBeGreaterThan(first + 5);
});
