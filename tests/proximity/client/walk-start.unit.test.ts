import { beforeEach, expect, test, vi } from 'vitest';
import { elapsedText } from '../../../client/features/proximity/components/elapsed-time.tsx';
import {
  followWalking,
  settleStart,
  startAttempt,
} from '../../../client/features/proximity/walk-start.ts';

beforeEach(() => startAttempt.set(null));

test('a refused start turns sharing off again and keeps the reason', () => {
  const cancel = vi.fn<() => void>(() => followWalking(false));
  startAttempt.set('pending');
  followWalking(true);
  settleStart('starting', cancel);
  expect(cancel).not.toHaveBeenCalled();
  settleStart('denied', cancel);
  settleStart('denied', cancel);
  expect(cancel).toHaveBeenCalledOnce();
  expect(startAttempt.get()).toBe('denied');
  // Another device starts a walk.
  followWalking(true);
  expect(startAttempt.get()).toBeNull();
});

test('a permission that is revoked during a walk leaves sharing on', () => {
  const cancel = vi.fn<() => void>();
  startAttempt.set('pending');
  followWalking(true);
  settleStart('active', cancel);
  settleStart('denied', cancel);
  expect(cancel).not.toHaveBeenCalled();
  expect(startAttempt.get()).toBeNull();
});

test('a walk that ends before the device has answered is not pending anymore', () => {
  startAttempt.set('pending');
  followWalking(true);
  followWalking(false);
  expect(startAttempt.get()).toBeNull();
});

test('the time of a walk counts seconds, from two days on days', () => {
  expect([-5000, 65_000, 3_905_000, 3 * 86_400_000].map(elapsedText)).toEqual([
    '0:00',
    '1:05',
    '1:05:05',
    '3 days',
  ]);
});
