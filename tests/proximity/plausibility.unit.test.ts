import { describe, expect, test } from 'vitest';
import { Plausibility } from '../../api/proximity/engine/plausibility.ts';
import { placeOf } from '../../bench/simulation.ts';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;

/** Reports of one person; meters north of the middle, at seconds. */
function reports() {
  const plausibility = new Plausibility();
  const at = (second: number, north: number, device = 'phone') =>
    plausibility.check('ann', device, placeOf({ east: 0, north }), second * SECOND);
  return { plausibility, at };
}

describe('a position', () => {
  test('counts at once when nothing is known of a person', () => {
    expect(reports().at(0, 0)).toBe(0);
  });

  test('counts while the person walks, rides or drives', () => {
    const { at } = reports();
    for (let second = 0; second < 600; second += 30) expect(at(second, second * 38)).toBe(0);
  });

  test('counts when satellites and Wi-Fi put it a hundred meters aside', () => {
    const { at } = reports();
    at(0, 0);
    expect(at(1, 180)).toBe(0);
    expect(at(30, 0)).toBe(0);
  });

  test('that nobody can have reached counts after a report from there ten seconds later', () => {
    const { at } = reports();
    at(0, 0);
    expect(at(1, 5_000)).toBe(10);
    expect(at(6, 5_010)).toBe(5);
    expect(at(11, 5_020)).toBe(0);
    expect(at(12, 5_020)).toBe(0);
  });

  test('is not confirmed by a report from somewhere else, nor by one much later', () => {
    const { at } = reports();
    at(0, 0);
    expect(at(1, 5_000)).toBe(10);
    expect(at(12, 9_000)).toBe(10);
    expect(at(60, 9_000)).toBe(10);
  });

  test('counts again where the person was before the jump', () => {
    const { at } = reports();
    at(0, 0);
    expect(at(1, 5_000)).toBe(10);
    expect(at(2, 3)).toBe(0);
  });

  test('cannot move faster by many small jumps', () => {
    const { at } = reports();
    let believed = 0;
    for (let half = 1; half <= 20; half += 1) if (at(half / 2, half * 140) === 0) believed = half;
    expect(believed * 140).toBeLessThan(40 * 10 + 150 + 140 + 10 * 10);
  });

  test('counts after the sixth relocation of an hour only when one is an hour old', () => {
    const { at } = reports();
    at(0, 0);
    for (let jump = 1; jump <= 6; jump += 1) {
      expect(at(jump * 20, jump * 50_000)).toBe(10);
      expect(at(jump * 20 + 10, jump * 50_000)).toBe(0);
    }
    expect(at(200, 900_000)).toBe(Infinity);
    expect(at(3_700, 600_000)).toBe(10);
    expect(at(3_710, 600_000)).toBe(0);
  });
});

test('a phone whose fixes flap between two places waits each time, and is never left without warnings', () => {
  const { at } = reports();
  at(0, 0);
  let longest = 0;
  for (let flap = 1; flap <= 20; flap += 1) {
    const north = flap % 2 === 1 ? 300_000 : 0;
    longest = Math.max(longest, at(flap * 15, north));
    expect(at(flap * 15 + 10, north)).toBe(0);
  }
  expect(longest).toBe(10);
});

describe('a person who stops sharing', () => {
  test('cannot be somewhere else by starting again', () => {
    const { at, plausibility } = reports();
    at(0, 0);
    plausibility.blur('ann');
    expect(at(1, 5_000)).toBe(10);
  });

  test('is not remembered better than to about a hundred meters, nor for more than an hour', () => {
    const { at, plausibility } = reports();
    at(0, 30);
    plausibility.blur('ann');
    expect(JSON.stringify(plausibility)).not.toContain('51.50027');
    plausibility.sweep(61 * MINUTE);
    expect(at(3_661, 5_000_000)).toBe(0);
  });
});

describe('a second device', () => {
  test('counts at once where the first one is', () => {
    const { at } = reports();
    at(0, 0);
    expect(at(1, 20, 'laptop')).toBe(0);
  });

  test('counts elsewhere once confirmed, and then beside the first one', () => {
    const { at } = reports();
    at(0, 0);
    expect(at(1, 5_000, 'laptop')).toBe(10);
    expect(at(5, 2)).toBe(0);
    expect(at(11, 5_000, 'laptop')).toBe(0);
    expect(at(12, 4)).toBe(0);
    expect(at(13, 5_000, 'laptop')).toBe(0);
  });

  test('shares the relocations of its owner', () => {
    const { at } = reports();
    at(0, 0);
    for (let device = 1; device <= 6; device += 1) {
      at(device * 20, device * 50_000, `device ${device}`);
      expect(at(device * 20 + 10, device * 50_000, `device ${device}`)).toBe(0);
    }
    expect(at(300, 900_000, 'one more')).toBe(Infinity);
  });
});
