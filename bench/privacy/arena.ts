import { coarsePlace, createOffsets } from '../../api/proximity/engine/coarse-location.ts';
import { EncounterEngine } from '../../api/proximity/engine/encounter-engine.ts';
import type { Person } from '../../api/proximity/engine/active-user.ts';
import { AnonymousWarnings } from '../../api/proximity/engine/anonymous-warnings.ts';
import { CustomRadius } from '../../api/proximity/engine/custom-radius.ts';
import type { Place } from '#shared/place.ts';
import type { LocationAnswer, PositionReport } from '#shared/proximity/contract.ts';
import { type Path, placeOf, type Random, Simulation, type Spot } from '../simulation.ts';

const VICTIM = 'victim';
const REX = { name: 'Rex', sound_type: 'leash_on', image_key: null } as const;
/** The api takes 120 reports a minute from one account. */
const REPORT_PAUSE_MS = 500;

/** Something that an account was sent by the api. */
export interface Sent {
  at: number;
  type: 'encounter' | 'cadence';
  userId?: string;
  feet?: number;
  seconds?: number;
}

/** An account of the attacker. */
export class Account {
  readonly id: string;
  readonly sent: Sent[] = [];
  readonly #arena: Arena;
  #lastReport = -Infinity;

  constructor(arena: Arena, id: string) {
    this.#arena = arena;
    this.id = id;
  }

  /** Reports a position, as soon as the limit of reports allows. */
  async report(spot: Spot, extra: Partial<PositionReport> = {}): Promise<LocationAnswer> {
    const { time } = this.#arena;
    const wait = this.#lastReport + REPORT_PAUSE_MS - time.now();
    if (wait > 0) await this.#arena.pass(wait);
    this.#lastReport = time.now();
    return this.#arena.report(this.id, { ...placeOf(spot), radius_feet: 500, ...extra });
  }
}

/** One victim who shares a position, and the attacker's accounts, on the api's engine and simulated time. */
export class Arena {
  readonly time = new Simulation();
  readonly accounts: Account[];
  /** Whether the victim received an encounter event with one of the attacker's cards. */
  isVictimNotified = false;
  readonly #path: Path;
  readonly #engine: EncounterEngine;
  readonly #own: CustomRadius;
  readonly #anonymous: AnonymousWarnings;
  readonly #blocked: ReadonlySet<string>;
  #victimDue = 0;

  /** @param blocked which accounts the victim has blocked */
  constructor(random: Random, path: Path, accounts: string[], blocked: string[] = []) {
    this.#path = path;
    this.#blocked = new Set(blocked);
    const offsetsOf = createOffsets(`secret ${random.uniform()}`);
    this.accounts = accounts.map((id) => new Account(this, id));
    this.#engine = new EncounterEngine({
      now: this.time.now,
      after: this.time.after,
      offsetOf: (userId) => offsetsOf(userId, this.time.now),
      onEncounter: ({ mover, other, distance_feet }) => {
        if (mover.user_id === VICTIM || other.user_id === VICTIM) this.isVictimNotified = true;
        this.#send(mover.user_id, {
          type: 'encounter',
          userId: other.user_id,
          feet: distance_feet,
        });
        this.#send(other.user_id, {
          type: 'encounter',
          userId: mover.user_id,
          feet: distance_feet,
        });
      },
      requestReport: (userId, seconds) => {
        this.#send(userId, { type: 'cadence', seconds });
        if (userId === VICTIM)
          this.#victimDue = Math.min(this.#victimDue, this.time.now() + seconds * 1000);
      },
    });
    this.#own = new CustomRadius(this.#engine, {
      mayShow: () => true,
      onEntry: (watcher, { user_id }, feet) =>
        this.#send(watcher, { type: 'encounter', userId: user_id, feet }),
    });
    this.#anonymous = new AnonymousWarnings(this.#engine, {
      now: this.time.now,
      // The attacker knows who it is, as the victim is the only one around.
      idOf: (_, other) => other.person.user_id,
      onEntry: (viewer, { user_id, distance_feet }) =>
        this.#send(viewer, { type: 'encounter', userId: user_id, feet: distance_feet }),
    });
    this.#walkVictim();
  }

  report(userId: string, report: PositionReport): LocationAnswer {
    const person = this.#person(userId);
    const answer = this.#own.apply(person, report, this.#engine.report(person, report));
    return this.#anonymous.apply(person, answer);
  }

  /** Lets time pass; milliseconds. */
  async pass(milliseconds: number): Promise<void> {
    await this.time.run(this.time.now() + milliseconds);
  }

  /** The position of the victim. */
  victim(): Spot {
    return this.#path(this.time.now());
  }

  /** The coarse location of the victim, for an attacker who has found it out exactly. */
  victimCoarse(): Place | undefined {
    return this.#engine.user(VICTIM)?.coarse.current();
  }

  #person(user_id: string): Person {
    const ofAccount = new Set(this.#blocked.has(user_id) ? [VICTIM] : []);
    const blocked = user_id === VICTIM ? this.#blocked : ofAccount;
    return { user_id, display_name: user_id, dogs: [REX], blocked };
  }

  #send(userId: string, sent: Omit<Sent, 'at'>): void {
    this.accounts.find(({ id }) => id === userId)?.sent.push({ at: this.time.now(), ...sent });
  }

  /** Reports as a phone does: when it is due, and sooner when it is asked to. */
  #walkVictim(): void {
    const tick = () => {
      if (this.time.now() >= this.#victimDue) {
        this.#victimDue = Infinity;
        const { next_update_seconds } = this.report(VICTIM, placeOf(this.victim()));
        this.#victimDue = Math.min(this.#victimDue, this.time.now() + next_update_seconds * 1000);
      }
      this.time.after(250, tick);
    };
    tick();
  }
}

/** Returns the distance at which an answer shows the victim, in feet; null if it does not. */
export const shownFeet = ({ nearbyUsers }: LocationAnswer): number | null =>
  nearbyUsers.find(({ user_id }) => user_id === VICTIM)?.distance_feet ?? null;

export const isVictim = ({ userId }: Sent): boolean => userId === VICTIM;

/** The points of the public grid on which coarse locations lie, around the middle of the world. */
export function gridPoints(meters: number): Place[] {
  const points = new Map<string, Place>();
  for (let east = -meters; east <= meters; east += 8)
    for (let north = -meters; north <= meters; north += 8) {
      const point = coarsePlace(placeOf({ east, north }), { east: 0, north: 0 });
      points.set(`${point.latitude.toFixed(7)} ${point.longitude.toFixed(7)}`, point);
    }
  return [...points.values()];
}
