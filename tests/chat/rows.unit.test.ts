import { expect, test } from 'vitest';
import { rowsOf } from '../../client/chat/rows.ts';

const message = (id: string, minute: number, isOwn = true) => ({
  id,
  text: id,
  at: new Date(Date.UTC(2026, 2, 1, 10) + minute * 60_000).toISOString(),
  isOwn,
  delivery: null,
});

test('a time stamp stands above the first message and where the gap exceeds five minutes', () => {
  const rows = rowsOf(
    [message('a', 0), message('b', 5), message('c', 10.01), message('d', 1)],
    null,
  );
  expect(rows.map(({ hasStamp }) => hasStamp)).toEqual([true, false, true, true]);
});

test('messages of one author stand together until something comes between', () => {
  const rows = rowsOf(
    [
      message('a', 0),
      message('b', 1),
      message('c', 2, false),
      message('d', 3, false),
      message('e', 9, false),
    ],
    'd',
  );
  expect(rows.map(({ isContinued }) => isContinued)).toEqual([false, true, false, false, false]);
  expect(rows.map(({ isFirstNew }) => isFirstNew)).toEqual([false, false, false, true, false]);
});
