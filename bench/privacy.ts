import { ANONYMOUS_ATTACKS } from './privacy/anonymous-attacks.ts';
import { Arena } from './privacy/arena.ts';
import { AREA_METERS, ATTACKS, type Attack } from './privacy/attacks.ts';
import { median } from './quantiles.ts';
import type { BenchRow } from './result-row.ts';
import { apart, randomFrom, type Spot } from './simulation.ts';

const VICTIMS = 200;
/** The best accuracy, in meters, with which anyone may locate a person who was not notified of them. */
const TARGET_METERS = 25;
/** By luck some victims are guessed better than that; more than this share is no luck. */
const LUCKY_SHARE = 0.2;

export interface Achieved {
  /** Meters from the guess to each victim; Infinity for a victim who was notified, as the attack was noticed. */
  errors: number[];
  /** How many victims received an encounter event with the attacker's card. */
  notified: number;
  /** How many victims were shown to an account of which they were told nothing. */
  unseen: number;
}

/** Lets an attacker look for random victims, one after the other. */
export async function attack(how: Attack, victims: number): Promise<Achieved> {
  const random = randomFrom(20_261_124);
  const achieved: Achieved = { errors: [], notified: 0, unseen: 0 };
  for (let victim = 0; victim < victims; victim += 1) {
    const distance = AREA_METERS * Math.sqrt(random.uniform());
    const angle = 2 * Math.PI * random.uniform();
    const from: Spot = { east: distance * Math.sin(angle), north: distance * Math.cos(angle) };
    const path = how.walk?.(from, random) ?? (() => from);
    const arena = new Arena(random, path, how.accounts, how.blocked);
    const guess = await how.run(arena, random);
    if (arena.isVictimNotified) achieved.notified += 1;
    if (arena.unseen.length > 0) achieved.unseen += 1;
    achieved.errors.push(arena.isVictimNotified ? Infinity : apart(guess, arena.victim()));
  }
  return achieved;
}

/** The table's group: how well attackers with up to three accounts locate a person who is not notified of them. */
export async function privacyBench(victims = VICTIMS): Promise<BenchRow[]> {
  const rows: BenchRow[] = [];
  for (const how of [...ATTACKS, ...ANONYMOUS_ATTACKS]) {
    const { errors, notified, unseen } = await attack(how, victims);
    const middle = median(errors);
    const within = errors.filter((error) => error < TARGET_METERS).length;
    rows.push({
      group: 'privacy',
      row: `${how.name}: error of the best guess, median`,
      ours: `${middle.toFixed(1)} m (within ${TARGET_METERS} m: ${within} of ${errors.length}; notified: ${notified}; watched unseen: ${unseen})`,
      target: `≥ ${TARGET_METERS} m; within ${TARGET_METERS} m: ≤ ${LUCKY_SHARE * 100}%; unseen: 0`,
      ok: middle >= TARGET_METERS && within / errors.length <= LUCKY_SHARE && unseen === 0,
    });
  }
  return rows;
}
