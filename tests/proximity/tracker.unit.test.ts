import { describe, expect, test } from 'vitest';
import type { LocationAnswer, PositionReport } from '#shared/proximity/contract.ts';
import { Simulation } from '../../bench/simulation.ts';
import {
  Tracker,
  type Fix,
  type TrackerState,
} from '../../client/features/proximity/tracking/tracker.ts';

type Reply =
  | number
  | 'lost'
  | { refusedFor: number | null }
  | { after: number; next_update_seconds: number };

/** A device on simulated time. Each reply is next_update_seconds, optionally with a delay (0.1 s by default), silence or a rejection. */
function device(replies: Reply[] = []) {
  const drops: number[] = [];
  const givenUp: number[] = [];
  const quiet = { from: Infinity, failing: 0 };
  const time = new Simulation();
  const sent: { at: number; report: PositionReport }[] = [];
  const states: TrackerState[] = [];
  const asked: number[] = [];
  const fix = (latitude = 1): Fix => ({
    latitude,
    longitude: 2,
    accuracy: 5,
    speed: 1.4,
    heading: 90,
    at: time.now(),
  });
  const tracker: Tracker = new Tracker({
    now: time.now,
    after: time.after,
    post(report, signal) {
      sent.push({ at: time.now(), report });
      const reply = replies.shift() ?? 30;
      return new Promise<LocationAnswer>((resolve, reject) => {
        const took = typeof reply === 'object' && 'after' in reply ? reply.after * 1000 : 100;
        const later = (settle: () => void) =>
          time.after(took, () => {
            time.settled();
            settle();
          });
        const says = (next_update_seconds: number) =>
          later(() => resolve({ nearbyUsers: [], next_update_seconds }));
        if (typeof reply === 'number') says(reply);
        else if (typeof reply === 'object' && 'after' in reply) says(reply.next_update_seconds);
        else if (reply !== 'lost') later(() => reject(reply));
        signal.addEventListener('abort', () => {
          givenUp.push(time.now());
          time.settled();
          reject(new Error('aborted'));
        });
      });
    },
    isQuiet: ({ latitude }) => latitude >= quiet.from,
    drop() {
      drops.push(time.now());
      return new Promise<void>((resolve, reject) => {
        time.after(100, () => {
          time.settled();
          if (quiet.failing-- > 0) reject(new Error('no network'));
          else resolve();
        });
      });
    },
    requestFix: () => asked.push(time.now()),
    answered() {},
    failed: (error) =>
      typeof error === 'object' && error !== null && 'refusedFor' in error
        ? (error.refusedFor as number | null)
        : null,
    changed: (state) => states.push(state),
  });
  /** A fix every second, from now on. */
  const walking = () => {
    const tick = () => {
      tracker.fix(fix());
      time.after(1000, tick);
    };
    tick();
  };
  const times = () => sent.map(({ at }) => at / 1000);
  return { time, tracker, sent, states, asked, fix, walking, times, drops, givenUp, quiet };
}

describe('the tracker', () => {
  test('sends the first fix at once with all its fields and its age', async () => {
    const { time, tracker, sent, fix } = device();
    tracker.start();
    expect(sent).toEqual([]);
    const first = fix();
    await time.run(700);
    tracker.fix(first);
    expect(sent).toEqual([
      {
        at: 700,
        report: {
          latitude: 1,
          longitude: 2,
          accuracy: 5,
          speed: 1.4,
          heading: 90,
          age_seconds: 0.7,
        },
      },
    ]);
  });

  test('reports every 30 s, 120 times an hour, without people nearby', async () => {
    const { time, tracker, sent, walking } = device();
    tracker.start();
    walking();
    await time.run(3_599_999);
    expect(sent).toHaveLength(120);
  });

  test('reports as often as the server says, counted from the request', async () => {
    const { time, tracker, times, walking } = device([10, 1, 1, 2, 30]);
    tracker.start();
    walking();
    await time.run(20_000);
    expect(times()).toEqual([0, 10, 11, 12, 14]);
  });

  test('a cadence event shortens the wait and never lengthens it', async () => {
    const { time, tracker, times, walking } = device([30, 30]);
    tracker.start();
    walking();
    await time.run(5_000);
    tracker.cadence(2);
    tracker.cadence(20);
    await time.run(30_000);
    expect(times()).toEqual([0, 7]);
  });

  test('a cadence event that arrives before the response counts', async () => {
    const { time, tracker, times, walking } = device([30, 30]);
    tracker.start();
    walking();
    await time.run(50);
    tracker.cadence(1);
    await time.run(10_000);
    expect(times()).toEqual([0, 1.05]);
  });

  test('an unanswered report is retried within seconds', async () => {
    const { time, tracker, times, walking, states } = device(['lost', 'lost', 5]);
    tracker.start();
    walking();
    await time.run(10_000);
    expect(times()).toEqual([0, 2.75, 6.75]);
    expect(states).toEqual(['waiting', 'offline', 'active']);
  });

  test('retries rejected reports after 1, 2, 5, 10 and 10 s', async () => {
    const no = { refusedFor: null };
    const { time, tracker, times, walking } = device([no, no, no, no, no, 30]);
    tracker.start();
    walking();
    await time.run(40_000);
    expect(times()).toEqual([0, 1, 3, 8, 18, 28]);
  });

  test('waits as long as the server says', async () => {
    const { time, tracker, times, walking } = device([{ refusedFor: 12 }, 30]);
    tracker.start();
    walking();
    await time.run(20_000);
    expect(times()).toEqual([0, 12.1]);
  });

  describe('slow connection', () => {
    test('waits longer after each late response, for four requests at most', async () => {
      const { time, tracker, times, walking, givenUp } = device(['lost', 'lost', 'lost', 'lost']);
      tracker.start();
      walking();
      await time.run(22_000);
      // 2.5 s, 3.75, 5.6 and 8.4 until an answer is late, a quarter of a second between, and 10 s between those that go wrong.
      expect(times()).toEqual([0, 2.75, 6.75, 12.625]);
      expect(givenUp).toEqual([]);
      await time.run(23_000);
      expect(times().at(-1)).toBe(22.625);
      expect(givenUp).toEqual([22_625, 22_725, 22_725, 22_725]);
    });

    test('accepts a late response and does not report again before it is due', async () => {
      const { time, tracker, times, states, walking } = device([
        { after: 4, next_update_seconds: 20 },
        { after: 4, next_update_seconds: 20 },
      ]);
      tracker.start();
      walking();
      await time.run(26_000);
      expect(states).toEqual(['waiting', 'offline', 'active']);
      expect(times()).toEqual([0, 2.75, 22.75]);
    });

    test('ignores responses to reports older than an answered one', async () => {
      const { time, tracker, times, walking, givenUp } = device([
        { after: 6, next_update_seconds: 1 },
        30,
      ]);
      tracker.start();
      walking();
      await time.run(30_000);
      expect(givenUp).toEqual([2_850]);
      expect(times()).toEqual([0, 2.75]);
    });

    test('learns how long responses take and waits for them', async () => {
      const slow = { after: 4, next_update_seconds: 10 };
      const { time, tracker, times, walking } = device([slow, slow, slow, slow]);
      tracker.start();
      walking();
      await time.run(35_000);
      expect(times()).toEqual([0, 2.75, 12.75, 22.75, 32.75]);
    });

    test('adds the expected delay of the response to the age of the fix', async () => {
      const { time, tracker, sent, walking } = device([{ after: 2, next_update_seconds: 5 }, 5]);
      tracker.start();
      walking();
      await time.run(12_000);
      // A fix of a second ago, and 2 s; then an eighth nearer to the tenth of a second that the second answer took.
      expect(sent.map(({ report }) => report.age_seconds)).toEqual([0, 1 + 2, 1 + 1.7625]);
    });

    test('cancels late requests when nothing is to be reported', async () => {
      const { time, tracker, drops, quiet, fix, givenUp } = device(['lost', 'lost']);
      quiet.from = 50;
      tracker.start();
      tracker.fix(fix(49));
      await time.run(2_600);
      tracker.fix(fix(51));
      await time.run(4_000);
      expect(givenUp).toEqual([2_600]);
      expect(drops).toEqual([2_600]);
    });
  });

  test('sends no fix older than 30 s, says so and sends the next one at once', async () => {
    const { time, tracker, states, times, asked, fix } = device([30, 30]);
    tracker.start();
    tracker.fix(fix());
    await time.run(31_000);
    expect(times()).toEqual([0, 30]);
    await time.run(70_000);
    expect(states.at(-1)).toBe('no-fix');
    expect(asked).toContain(60_000);
    tracker.fix(fix());
    expect(times()).toEqual([0, 30, 70]);
    await time.run(70_200);
    expect(states.at(-1)).toBe('active');
  });

  test('ignores a fix that is older than the current one', async () => {
    const { time, tracker, sent, fix } = device([5]);
    tracker.start();
    const old = fix(50);
    await time.run(1_000);
    tracker.fix(fix(60));
    tracker.fix(old);
    await time.run(7_000);
    expect(sent.map(({ report }) => report.latitude)).toEqual([60, 60]);
  });

  test('cancels requests in progress when stopped, and can start again', async () => {
    const { time, tracker, times, states, walking } = device(['lost', 30]);
    tracker.start();
    walking();
    await time.run(1_000);
    tracker.stop();
    tracker.cadence(1);
    tracker.hurry();
    await time.run(60_000);
    expect(times()).toEqual([0]);
    expect(states).toEqual(['waiting', 'stopped']);
    tracker.start();
    await time.run(61_500);
    expect(times()).toEqual([0, 61]);
    expect(states.at(-1)).toBe('active');
  });

  test('reports at once when the network is back', async () => {
    const no = { refusedFor: null };
    const { time, tracker, times, walking } = device([no, no, no, no, 30]);
    tracker.start();
    walking();
    await time.run(10_000);
    tracker.hurry();
    await time.run(11_500);
    expect(times()).toEqual([0, 1, 3, 8, 10]);
  });

  test('continues after the clock is set back, without using older fixes', async () => {
    const { time, tracker, sent, fix } = device([2, 2, 2, 2, 2, 2]);
    let setBack = 0;
    const at = (latitude: number) => ({ ...fix(latitude), at: time.now() + setBack });
    tracker.start();
    tracker.fix({ ...at(1), at: time.now() + 3_600_000 });
    await time.run(5_000);
    // Dated in the future: its age is unknown.
    expect(sent).toEqual([]);
    setBack = -500;
    tracker.fix(at(2));
    await time.run(10_000);
    expect(sent.map(({ report }) => report.latitude)).toContain(2);
    expect(sent.every(({ report }) => report.latitude === 2)).toBe(true);
  });

  test('sends an overdue report as soon as an event wakes it', async () => {
    const sent: number[] = [];
    let now = 0;
    // Timers of a hidden page fire late.
    const tracker = new Tracker({
      now: () => now,
      after: () => () => {},
      post: async () => {
        sent.push(now);
        return { nearbyUsers: [], next_update_seconds: 30 };
      },
      isQuiet: () => false,
      drop: async () => {},
      requestFix: () => {},
      answered: () => {},
      failed: () => null,
      changed: () => {},
    });
    const fix = () =>
      tracker.fix({ latitude: 1, longitude: 2, accuracy: 5, speed: 1, heading: 0, at: now });
    const settle = () => new Promise((resolve) => setImmediate(resolve));
    tracker.start();
    fix();
    await settle();
    now = 35_000;
    tracker.cadence(2);
    await settle();
    now = 70_000;
    fix();
    await settle();
    expect(sent).toEqual([0, 70_000]);
  });

  describe('a quiet place', () => {
    test('sends no report from a quiet place and deletes the position', async () => {
      const { time, tracker, sent, drops, quiet, states, fix } = device();
      quiet.from = 50;
      tracker.start();
      tracker.fix(fix(51));
      await time.run(1_000);
      tracker.hurry();
      tracker.cadence(1);
      await time.run(200_000);
      expect(sent).toEqual([]);
      expect(drops).toEqual([0]);
      expect(states).toEqual(['waiting', 'quiet']);
    });

    test('stops reporting when it enters a quiet place and reports at once when it leaves', async () => {
      const { time, tracker, sent, drops, quiet, states, fix } = device();
      quiet.from = 50;
      tracker.start();
      tracker.fix(fix(49));
      await time.run(5_000);
      tracker.fix(fix(51));
      expect(states.at(-1)).toBe('quiet');
      expect(drops).toEqual([5_000]);
      await time.run(100_000);
      expect(sent).toHaveLength(1);
      tracker.fix(fix(49));
      expect(sent.map(({ at, report }) => [at, report.latitude])).toEqual([
        [0, 49],
        [100_000, 49],
      ]);
      await time.run(100_200);
      expect(states.at(-1)).toBe('active');
      tracker.fix(fix(51));
      await time.run(101_000);
      expect(drops).toEqual([5_000, 100_200]);
    });

    test('retries deleting the position until the server responds', async () => {
      const { time, tracker, drops, quiet, fix } = device();
      Object.assign(quiet, { from: 50, failing: 2 });
      tracker.start();
      tracker.fix(fix(51));
      await time.run(60_000);
      expect(drops).toEqual([0, 1_100, 3_200]);
    });

    test('deletes the position after a report in progress', async () => {
      const { time, tracker, sent, drops, quiet, fix } = device();
      quiet.from = 50;
      tracker.start();
      tracker.fix(fix(49));
      await time.run(50);
      tracker.fix(fix(51));
      expect(drops).toEqual([]);
      await time.run(60_000);
      expect(drops).toEqual([100]);
      expect(sent).toHaveLength(1);
    });

    test('sends the first report after a deletion in progress', async () => {
      const { time, tracker, sent, drops, quiet, fix } = device();
      quiet.from = 50;
      tracker.start();
      tracker.fix(fix(51));
      await time.run(50);
      tracker.fix(fix(49));
      expect(sent).toEqual([]);
      await time.run(1_000);
      expect(sent.map(({ at }) => at)).toEqual([100]);
      tracker.fix(fix(51));
      await time.run(2_000);
      expect(drops).toEqual([0, 1_000]);
    });

    test('a place that becomes quiet counts at once', async () => {
      const { time, tracker, drops, quiet, states, fix } = device();
      tracker.start();
      tracker.fix(fix(51));
      await time.run(1_000);
      quiet.from = 50;
      tracker.review();
      expect(states.at(-1)).toBe('quiet');
      expect(drops).toEqual([1_000]);
      quiet.from = Infinity;
      tracker.review();
      await time.run(1_200);
      expect(states.at(-1)).toBe('active');
    });
  });
});
