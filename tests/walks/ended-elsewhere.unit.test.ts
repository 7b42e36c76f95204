import { expect, test } from 'vitest';
import {
  FORGOTTEN_MS,
  isWalkForgotten,
  noteSharing,
} from '../../client/features/proximity/use-walking.ts';

/** @param states whether sharing is on, and whether the document is as the server has it @returns at which of them the walk ends */
function endsAt(...states: [isSharing: boolean, isCurrent: boolean][]): number[] {
  let known: boolean | null = null;
  return states.flatMap(([isSharing, isCurrent], index) => {
    const next = noteSharing(known, { isSharing, isCurrent });
    known = next.known;
    return next.isEnded ? [index] : [];
  });
}

test('a walk goes on while its setting arrives in parts, whose first ones are older', () => {
  expect(endsAt([false, false], [true, false], [true, true])).toEqual([]);
  expect(endsAt([false, false], [true, false], [false, false], [true, true])).toEqual([]);
});

test('a walk ends when sharing is turned off elsewhere, or was while the app was closed', () => {
  expect(endsAt([true, true], [false, true])).toEqual([1]);
  expect(endsAt([true, false], [true, true], [false, false])).toEqual([2]);
  expect(endsAt([false, false], [false, true])).toEqual([1]);
});

test('a walk that starts here is known before its setting is', () => {
  expect(endsAt([false, true], [false, false], [true, false], [true, true])).toEqual([0]);
});

test('a walk that was not seen for an hour does not go on when the app is opened', () => {
  const now = 1_800_000_000_000;
  expect(isWalkForgotten(now - FORGOTTEN_MS - 1, now)).toBe(true);
  expect(isWalkForgotten(now - FORGOTTEN_MS, now)).toBe(false);
  // A clock that was set back, and a walk of an older version.
  expect(isWalkForgotten(now + FORGOTTEN_MS, now)).toBe(false);
  expect(isWalkForgotten(null, now)).toBe(false);
});
