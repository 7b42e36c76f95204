import type { Place } from '#shared/place.ts';
import type { LocationAnswer, PositionReport } from '#shared/proximity/contract.ts';
import type { Person } from '../../api/features/proximity/engine/active-user.ts';
import { coarsePlace, createOffsets } from '../../api/features/proximity/engine/coarse-location.ts';
import { EncounterEngine } from '../../api/features/proximity/engine/encounter-engine.ts';
import { Sightings } from '../../api/features/proximity/engine/sightings.ts';
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
  /** The account's dogs; one that needs space by default. */
  dogs: Person['dogs'] = [REX];
  /** Whether the account was shown the victim in any way, and whether she was told of it. */
  hasSeen = false;
  isSeen = false;
  readonly #arena: Arena;
  #lastReport = -Infinity;

  constructor(arena: Arena, id: string) {
    this.#arena = arena;
    this.id = id;
  }

  /** The account's own coarse location, which an attacker can find out with a second account; undefined before a report. */
  coarse(): Place | undefined {
    return this.#arena.coarseOf(this.id);
  }

  /** Blocks the victim. */
  block(): void {
    this.#arena.block(this.id);
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
  readonly #sightings: Sightings;
  #blocked: ReadonlySet<string>;
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
      onUpdate: (user, before) => this.#sightings.applyChange(user, before),
      onRemove: (user) => this.#sightings.remove(user),
      requestReport: (userId, seconds) => {
        this.#send(userId, { type: 'cadence', seconds });
        if (userId === VICTIM)
          this.#victimDue = Math.min(this.#victimDue, this.time.now() + seconds * 1000);
      },
    });
    this.#sightings = new Sightings(this.#engine, {
      now: this.time.now,
      mayShow: () => true,
      // The attacker knows who it is, as the victim is the only one around.
      idOf: (_, other) => other.person.user_id,
      onEntry: (viewer, { user_id, distance_feet }) =>
        this.#send(viewer, { type: 'encounter', userId: user_id, feet: distance_feet }),
    });
    this.#walkVictim();
  }

  /** The accounts that were shown the victim, of which she was told nothing. */
  get unseen(): Account[] {
    return this.accounts.filter(({ hasSeen, isSeen }) => hasSeen && !isSeen);
  }

  report(userId: string, report: PositionReport): LocationAnswer {
    const answer = this.#sightings.apply(
      userId,
      report,
      this.#engine.report(this.#person(userId), report),
    );
    for (const { user_id } of answer.nearbyUsers) this.#see(userId, user_id);
    return answer;
  }

  block(userId: string): void {
    this.#blocked = new Set([...this.#blocked, userId]);
    for (const each of [userId, VICTIM]) this.#engine.update(this.#person(each));
  }

  /** Lets time pass; milliseconds. */
  async pass(milliseconds: number): Promise<void> {
    await this.time.run(this.time.now() + milliseconds);
  }

  /** The position of the victim. */
  victim(): Spot {
    return this.#path(this.time.now());
  }

  /** The coarse location of a user, for an attacker who has found it out exactly. */
  coarseOf(userId = VICTIM): Place | undefined {
    return this.#engine.user(userId)?.coarse.current();
  }

  /** The coarse location of the victim that decides about warnings without names. */
  anonymousCoarse(): Place | undefined {
    return this.#engine.user(VICTIM)?.coarse.anonymous();
  }

  #person(user_id: string): Person {
    const ofAccount = new Set(this.#blocked.has(user_id) ? [VICTIM] : []);
    const blocked = user_id === VICTIM ? this.#blocked : ofAccount;
    const dogs = this.accounts.find(({ id }) => id === user_id)?.dogs ?? [REX];
    return { user_id, display_name: user_id, dogs, blocked };
  }

  #send(userId: string, sent: Omit<Sent, 'at'>): void {
    this.accounts.find(({ id }) => id === userId)?.sent.push({ at: this.time.now(), ...sent });
    if (sent.userId !== undefined) this.#see(userId, sent.userId);
  }

  #see(viewerId: string, otherId: string): void {
    for (const account of this.accounts)
      if (account.id === viewerId && otherId === VICTIM) account.hasSeen = true;
      else if (account.id === otherId && viewerId === VICTIM) account.isSeen = true;
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
