import { describe, expect, test } from 'vitest';
import { Plausibility } from '../../api/features/proximity/engine/plausibility.ts';
import { placeOf } from '../../bench/simulation.ts';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;

/** Reports of one person, in seconds and meters north of the center. */
function reports() {
  const plausibility = new Plausibility();
  const at = (second: number, north: number, device = 'phone') =>
    plausibility.check('ann', device, placeOf({ east: 0, north }), second * SECOND);
  return { plausibility, at };
}

describe('plausibility of a position', () => {
  test('accepts the first position of a person at once', () => {
    expect(reports().at(0, 0)).toBe(0);
  });

  test('accepts positions while the person walks, rides or drives', () => {
    const { at } = reports();
    for (let second = 0; second < 600; second += 30) expect(at(second, second * 38)).toBe(0);
  });

  test('accepts positions that are off by a hundred meters', () => {
    const { at } = reports();
    at(0, 0);
    expect(at(1, 180)).toBe(0);
    expect(at(30, 0)).toBe(0);
  });

  test('accepts an unreachable position after a second report from there ten seconds later', () => {
    const { at } = reports();
    at(0, 0);
    expect(at(1, 5_000)).toBe(10);
    expect(at(6, 5_010)).toBe(5);
    expect(at(11, 5_020)).toBe(0);
    expect(at(12, 5_020)).toBe(0);
  });

  test('does not confirm a position by a report from elsewhere or one much later', () => {
    const { at } = reports();
    at(0, 0);
    expect(at(1, 5_000)).toBe(10);
    expect(at(12, 9_000)).toBe(10);
    expect(at(60, 9_000)).toBe(10);
  });

  test('accepts a position from before the jump again', () => {
    const { at } = reports();
    at(0, 0);
    expect(at(1, 5_000)).toBe(10);
    expect(at(2, 3)).toBe(0);
  });

  test('limits the speed of many small jumps', () => {
    const { at } = reports();
    let believed = 0;
    for (let half = 1; half <= 20; half += 1) if (at(half / 2, half * 140) === 0) believed = half;
    expect(believed * 140).toBeLessThan(40 * 10 + 150 + 140 + 10 * 10);
  });

  test('allows six relocations an hour', () => {
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

test('a device that jumps between two places waits ten seconds each time', () => {
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
  test('can’t relocate by starting to share again', () => {
    const { at, plausibility } = reports();
    at(0, 0);
    plausibility.blur('ann');
    expect(at(1, 5_000)).toBe(10);
  });

  test('is stored with an accuracy of about a hundred meters for at most an hour', () => {
    const { at, plausibility } = reports();
    at(0, 30);
    plausibility.blur('ann');
    expect(JSON.stringify(plausibility)).not.toContain('51.50027');
    plausibility.forgetOld(61 * MINUTE);
    expect(at(3_661, 5_000_000)).toBe(0);
  });
});

describe('a second device', () => {
  test('accepts a second device at the place of the first one at once', () => {
    const { at } = reports();
    at(0, 0);
    expect(at(1, 20, 'laptop')).toBe(0);
  });

  test('accepts a second device elsewhere once confirmed, and then both devices', () => {
    const { at } = reports();
    at(0, 0);
    expect(at(1, 5_000, 'laptop')).toBe(10);
    expect(at(5, 2)).toBe(0);
    expect(at(11, 5_000, 'laptop')).toBe(0);
    expect(at(12, 4)).toBe(0);
    expect(at(13, 5_000, 'laptop')).toBe(0);
  });

  test('counts relocations of all devices of a user together', () => {
    const { at } = reports();
    at(0, 0);
    for (let device = 1; device <= 6; device += 1) {
      at(device * 20, device * 50_000, `device ${device}`);
      expect(at(device * 20 + 10, device * 50_000, `device ${device}`)).toBe(0);
    }
    expect(at(300, 900_000, 'one more')).toBe(Infinity);
  });
});
