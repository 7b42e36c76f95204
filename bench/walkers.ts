import { ringOffset } from '../api/proximity/engine/coarse-location.ts';
import { EncounterEngine } from '../api/proximity/engine/encounter-engine.ts';
import type { Person } from '../api/proximity/engine/active-user.ts';
import { Tracker } from '../client/proximity/tracking/tracker.ts';
import type { Fix } from '../client/proximity/tracking/tracker-dependencies.ts';
import { metersBetween, type Place } from '#shared/place.ts';
import type { LocationAnswer } from '#shared/proximity/contract.ts';
import { POLL_SECONDS, RADIUS_METERS, STALE_SECONDS } from '#shared/proximity/rules.ts';
import { placeOf, type Path, type Random, Simulation } from './simulation.ts';

/** What the air does to reports, answers and events. */
export interface Line {
  /** Share of reports that never arrive. */
  lost: number;
  /** One way, milliseconds: least and most. */
  latency: readonly [number, number];
  /** No event comes: the stream has died, and its socket does not say so. */
  isDeaf?: boolean;
}
export const QUICK: Line = { lost: 0.03, latency: [50, 150] };

/** How the simulated phones and the simulated air are. */
export interface Conditions extends Line {
  /** Deviation of a fix per axis, in meters; 0: exact. */
  noise: number;
  random: Random;
}

export interface Walker {
  id: string;
  /** Which of their devices this is. */
  device?: string;
  path: Path;
  /** When the app is switched on; milliseconds. */
  from: number;
}

export interface Outcome {
  /** By the warned, by whom they were warned of: when, in milliseconds; every warning. */
  warnings: Map<string, Map<string, number[]>>;
  requests: number;
}

/** What a phone says at a time: the position with its error; many phones tell no speed. */
function fixAt(at: number, walker: Walker, { noise, random }: Conditions): Fix {
  const spot = walker.path(at);
  return {
    ...placeOf({
      east: spot.east + random.normal(noise),
      north: spot.north + random.normal(noise),
    }),
    accuracy: Math.max(1, noise * 2),
    speed: null,
    heading: null,
    at,
  };
}

function outcome(): Outcome & { warn(who: string, ofWhom: string, at: number): void } {
  const warnings: Outcome['warnings'] = new Map();
  return {
    warnings,
    requests: 0,
    warn(who, ofWhom, at) {
      let own = warnings.get(who);
      if (!own) warnings.set(who, (own = new Map()));
      const times = own.get(ofWhom);
      if (times) times.push(at);
      else own.set(ofWhom, [at]);
    },
  };
}

/** The product: the api's own engine, the browser's own tracker, both ways of being told. */
export async function walkOurs(
  walkers: Walker[],
  until: number,
  conditions: Conditions,
): Promise<Outcome> {
  const simulation = new Simulation();
  const { random, lost, isDeaf = false } = conditions;
  const latency = () => random.between(...conditions.latency);
  const result = outcome();
  const trackers = new Map<string, Tracker[]>();
  const tell = (who: string, ofWhom: string) =>
    simulation.after(latency(), () => result.warn(who, ofWhom, simulation.now()));
  const encounters = new EncounterEngine({
    now: simulation.now,
    after: simulation.after,
    onEncounter({ mover, other }) {
      if (isDeaf) return;
      tell(mover.user_id, other.user_id);
      tell(other.user_id, mover.user_id);
    },
    offsetOf() {
      const offset = ringOffset(random.uniform(), random.uniform());
      return () => offset;
    },
    requestReport(userId, seconds) {
      if (isDeaf) return;
      for (const tracker of trackers.get(userId) ?? [])
        simulation.after(latency(), () => tracker.cadence(seconds));
    },
  });
  for (const walker of walkers) {
    const person: Person = {
      user_id: walker.id,
      display_name: walker.id,
      dogs: [],
      blocked: new Set(),
    };
    const device = walker.device ?? 'phone';
    let sequence = 0;
    const tracker = new Tracker({
      now: simulation.now,
      after: simulation.after,
      post(report, signal) {
        result.requests += 1;
        const order = { device: `${walker.id} ${device}`, sequence: ++sequence };
        return new Promise<LocationAnswer>((resolve, reject) => {
          if (random.uniform() < lost) {
            // Nobody hears of it, until the device gives it up.
            signal.addEventListener('abort', () => {
              simulation.settled();
              reject(new Error('lost'));
            });
            return;
          }
          simulation.after(latency(), () => {
            const answer = encounters.report(person, { ...report, ...order }, device);
            simulation.after(latency(), () => {
              simulation.settled();
              resolve(answer);
            });
          });
        });
      },
      isQuiet: () => false,
      drop: async () => {},
      requestFix() {},
      answered(answer) {
        for (const near of answer.nearbyUsers)
          result.warn(walker.id, near.user_id, simulation.now());
      },
      failed: () => null,
      changed() {},
    });
    trackers.set(walker.id, [...(trackers.get(walker.id) ?? []), tracker]);
    // A fix a second, as phones give them.
    const tick = () => {
      tracker.fix(fixAt(simulation.now(), walker, conditions));
      simulation.after(1000, tick);
    };
    simulation.after(walker.from, () => {
      tracker.start();
      tick();
    });
  }
  await simulation.run(until);
  return result;
}

/** The rival: everybody asks every 30 seconds, and whoever asks is told. */
export async function walkPolling(
  walkers: Walker[],
  until: number,
  conditions: Conditions,
): Promise<Outcome> {
  const simulation = new Simulation();
  const { random, lost } = conditions;
  const latency = () => random.between(...conditions.latency);
  const result = outcome();
  const positions = new Map<string, Place & { at: number }>();
  for (const walker of walkers) {
    const poll = () => {
      simulation.after(POLL_SECONDS * 1000, poll);
      const fix = fixAt(simulation.now(), walker, conditions);
      result.requests += 1;
      if (random.uniform() < lost) return;
      simulation.after(latency(), () => {
        const now = simulation.now();
        positions.set(walker.id, { ...fix, at: now });
        const near = [...positions].filter(
          ([id, position]) =>
            id !== walker.id &&
            now - position.at <= STALE_SECONDS * 1000 &&
            metersBetween(fix, position) <= RADIUS_METERS,
        );
        simulation.after(latency(), () => {
          for (const [id] of near) result.warn(walker.id, id, simulation.now());
        });
      });
    };
    simulation.after(walker.from, poll);
  }
  await simulation.run(until);
  return result;
}
