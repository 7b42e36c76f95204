import { expect, test } from 'vitest';
import { freeTop } from '../../client/platform/ui/feedback/toast-place.ts';

const HEIGHT = 82;
const WINDOW = 740;

test('a toast is at the top, or below what is read first there', () => {
  expect(freeTop(HEIGHT, [], WINDOW)).toBe(16);
  expect(freeTop(HEIGHT, [{ top: 400, bottom: 740 }], WINDOW)).toBe(16);
  expect(freeTop(HEIGHT, [{ top: 0, bottom: 256 }], WINDOW)).toBe(264);
});

test('a toast is between two warnings, or below both, and in the largest gap if none fits', () => {
  const alert = { top: 8, bottom: 180 };
  expect(freeTop(HEIGHT, [{ top: 300, bottom: 740 }, alert], WINDOW)).toBe(188);
  expect(freeTop(HEIGHT, [{ top: 200, bottom: 400 }, alert], WINDOW)).toBe(408);
  expect(freeTop(HEIGHT, [{ top: 240, bottom: 560 }, alert], 560)).toBe(188);
});
