import { metersBetween, type Place } from '#shared/place.ts';
import type { LocationAnswer, PositionReport } from '#shared/proximity/contract.ts';
import { POLL_SECONDS, RADIUS_METERS, STALE_SECONDS } from '#shared/proximity/rules.ts';
import type { Person } from '../api/features/proximity/engine/active-user.ts';
import { type OffsetOf, ringOffset } from '../api/features/proximity/engine/coarse-location.ts';
import { EncounterEngine } from '../api/features/proximity/engine/encounter-engine.ts';
import { Tracker, type Fix } from '../client/features/proximity/tracking/tracker.ts';
import { placeOf, type Path, type Random, Simulation } from './simulation.ts';

/** The faults of the radio link: of reports, answers and events. */
export interface Line {
  /** Share of reports that never arrive. */
  lost: number;
  /** One way, milliseconds: least and most. */
  latency: readonly [number, number];
  /** No event comes: the stream has died, and its socket does not say so. */
  isDeaf?: boolean;
}
export const QUICK: Line = { lost: 0.03, latency: [50, 150] };

/** The properties of the simulated phones and radio links. */
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
  /** The times of all warnings in milliseconds, by the warned user and the user of whom they were warned. */
  warnings: Map<string, Map<string, number[]>>;
  requests: number;
}

/** A phone's reading at a time: the position with its error. Many phones report no speed. */
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

/** A server in simulated time. Its promises settle by `simulation.settled`. */
interface SimulatedServer {
  report(userId: string, report: PositionReport, device: string): Promise<LocationAnswer>;
}

/** Connects a simulated server with the phones. */
export interface Phones {
  /** A user is warned of another one by an event. */
  warn(userId: string, ofWhom: string): void;
  cadence(userId: string, seconds: number): void;
}

/** Walks with the browser's own tracker, against a server. */
export async function walkWith(
  createServer: (simulation: Simulation, phones: Phones) => SimulatedServer,
  walkers: Walker[],
  until: number,
  conditions: Conditions,
): Promise<Outcome> {
  const simulation = new Simulation();
  const { random, lost, isDeaf = false } = conditions;
  const latency = () => random.between(...conditions.latency);
  const result = outcome();
  const trackers = new Map<string, Tracker[]>();
  const server = createServer(simulation, {
    warn(userId, ofWhom) {
      if (!isDeaf) simulation.after(latency(), () => result.warn(userId, ofWhom, simulation.now()));
    },
    cadence(userId, seconds) {
      if (isDeaf) return;
      for (const tracker of trackers.get(userId) ?? [])
        simulation.after(latency(), () => tracker.cadence(seconds));
    },
  });
  for (const walker of walkers) {
    const device = walker.device ?? 'phone';
    let sequence = 0;
    const tracker = new Tracker({
      now: simulation.now,
      after: simulation.after,
      post(report, signal) {
        result.requests += 1;
        const order = { device: `${walker.id} ${device}`, sequence: ++sequence };
        return new Promise<LocationAnswer>((resolve, reject) => {
          const fail = () => {
            simulation.settled();
            reject(new Error('lost'));
          };
          if (random.uniform() < lost) {
            // The server receives nothing, and the device gives up.
            signal.addEventListener('abort', fail);
            return;
          }
          simulation.after(latency(), () => {
            server.report(walker.id, { ...report, ...order }, device).then(
              (answer) =>
                simulation.after(latency(), () => {
                  simulation.settled();
                  resolve(answer);
                }),
              () => simulation.after(latency(), fail),
            );
            simulation.settled();
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

export const personOf = (userId: string): Person => ({
  user_id: userId,
  display_name: userId,
  dogs: [],
  blocked: new Set(),
});

/** A random secret offset for each user. */
export function randomOffsets(random: Random): () => OffsetOf {
  return () => {
    const offset = ringOffset(random.uniform(), random.uniform());
    return () => offset;
  };
}

/** The product: the API's own engine on one node, the browser's own tracker, both kinds of warnings. */
export const walkOurs = (
  walkers: Walker[],
  until: number,
  conditions: Conditions,
): Promise<Outcome> =>
  walkWith(
    (simulation, phones) => {
      const engine = new EncounterEngine({
        now: simulation.now,
        after: simulation.after,
        onEncounter({ mover, other }) {
          phones.warn(mover.user_id, other.user_id);
          phones.warn(other.user_id, mover.user_id);
        },
        offsetOf: randomOffsets(conditions.random),
        requestReport: (userId, seconds) => phones.cadence(userId, seconds),
      });
      return {
        report: async (userId, report, device) => engine.report(personOf(userId), report, device),
      };
    },
    walkers,
    until,
    conditions,
  );

/** The rival: everyone polls every 30 seconds, and only then gets a warning. */
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
