// @vitest-environment jsdom
import { toast } from 'sonner';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { offerUndo } from '../../client/platform/sync/outbox/offer-undo.ts';
import { UNDO_MS } from '../../client/platform/sync/outbox/outbox.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  vi.useRealTimers();
  for (const { id } of toast.getToasts()) toast.dismiss(id);
});

const shown = () => toast.getToasts().map((each) => ('title' in each ? each.title : ''));

test('an offer to undo ends before it is too late, whoever points at it', () => {
  offerUndo('Request denied', async () => true);
  expect(shown()).toEqual(['Request denied']);
  // The list of toasts, which would end it earlier or hold it, is not on the screen.
  vi.advanceTimersByTime(UNDO_MS - 2_000);
  expect(shown()).toEqual(['Request denied']);
  vi.advanceTimersByTime(1_500);
  expect(shown()).toEqual([]);
});

test('an offer to undo ends when the page is put away, which sends the call', () => {
  offerUndo('Request denied', async () => true);
  document.dispatchEvent(new Event('visibilitychange'));
  expect(shown()).toEqual([]);
});
