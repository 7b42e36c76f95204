import { expect, test } from 'vitest';
import type { Person } from '../../api/proximity/live.ts';
import { Foresight } from '../../api/proximity/foresight.ts';
import { Live, liveRows } from '../../api/proximity/live.ts';
import { Track, trackRows } from '../../api/proximity/track.ts';
import { placeOf, Simulation } from '../../bench/simulation.ts';
import { NO_OFFSET } from './no-offset.ts';

const person = (user_id: string): Person => ({
  user_id,
  display_name: user_id,
  dogs: [],
  blocked: new Set(),
});

test('a newer moment replaces the one that was foreseen before', async () => {
  const time = new Simulation();
  const met: number[] = [];
  const foresight = new Foresight({ now: time.now, after: time.after }, () => met.push(time.now()));
  const [rows, tracks] = [liveRows(), trackRows()];
  const [one, other] = ['ann', 'bob'].map((name, index) => {
    const place = placeOf({ east: 0, north: index * 20 });
    const live = new Live(rows, person(name), place, () => NO_OFFSET);
    live.fixAt = 0;
    live.track = new Track(tracks, { ...place, at: 0, accuracy: 2 });
    return live;
  }) as [Live, Live];
  foresight.foresee(one, other, 2_000);
  foresight.foresee(one, other, 6_000);
  await time.run(10_000);
  expect(met).toEqual([6_000]);
});
