import { describe, expect, test } from 'vitest';
import { Encounters } from '../../api/proximity/encounters.ts';
import type { Person } from '../../api/proximity/live.ts';
import { placeOf, Simulation } from '../../bench/simulation.ts';

const person = (user_id: string): Person => ({
  user_id,
  display_name: user_id,
  dogs: [{ name: 'Rex', sound_type: 'leash_off', image_key: null }],
  blocked: new Set(),
});

/** The engine on simulated time; `at` reports somebody at metres north of the middle, from one of their devices. */
function park() {
  const time = new Simulation();
  const met: [at: number, mover: string, other: string][] = [];
  const engine = new Encounters({
    now: time.now,
    after: time.after,
    met: ({ mover, other }) => met.push([time.now() / 1000, mover.user_id, other.user_id]),
    hasten: () => {},
  });
  const at = (who: string, device: string, north: number) =>
    engine.report(person(who), placeOf({ east: 0, north }), `${who}'s ${device}`);
  return { time, engine, met, at };
}

describe('an owner with a device at home', () => {
  /** Ann and Bob stand together until `until`, each reporting every 10 s; Ann's laptop reports from 400 m away every `homeEvery` s. */
  async function stand(homeEvery: number, until: number) {
    const world = park();
    for (let second = 0; second <= until; second += 1) {
      await world.time.run(second * 1000);
      if (second % 10 === 0) world.at('ann', 'phone', 0);
      if (second % 10 === 4) world.at('bob', 'phone', 10);
      if (second % homeEvery === 7) world.at('ann', 'laptop', 400);
    }
    return world;
  }

  test.each([30, 8])(
    'meets whom they stand with once, though it reports every %i s',
    async (every) => {
      const { met } = await stand(every, 600);
      expect(met).toEqual([[4, 'bob', 'ann']]);
    },
  );

  test('parts by the device that was there, and meets again', async () => {
    const { at, met, time } = await stand(30, 100);
    await time.run(110_000);
    at('ann', 'laptop', 400);
    at('ann', 'phone', 100);
    await time.run(150_000);
    at('ann', 'phone', 10);
    expect(met.map(([second]) => second)).toEqual([4, 150]);
  });

  test('parts from those who go away while the laptop has the position', async () => {
    const { at, met, time } = await stand(30, 100);
    at('ann', 'laptop', 400);
    at('bob', 'phone', 200);
    at('ann', 'phone', 0);
    await time.run(150_000);
    at('bob', 'phone', 5);
    expect(met.map(([second]) => second)).toEqual([4, 150]);
  });

  test('parts when the device that was there is silent for as long as a position counts', async () => {
    const { at, met, time } = await stand(30, 100);
    for (let second = 110; second <= 230; second += 10) {
      await time.run(second * 1000);
      at('ann', 'laptop', 400);
      at('bob', 'phone', 10);
    }
    at('ann', 'tablet', 10);
    expect(met.map(([second]) => second)).toEqual([4, 230]);
  });
});
