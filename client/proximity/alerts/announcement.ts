import { capitalized } from '#shared/capitalized.ts';
import type { NearbyUser } from '#shared/proximity/contract.ts';
import type { Units } from '#shared/units.ts';
import { distanceWords } from './alert-text.ts';
import type { Verdict } from './verdict.ts';

export interface Announcement {
  /** Title of the notification. */
  title: string;
  /** Its text. */
  body: string;
  /** What is spoken. */
  speech: string;
}

type Somebody = Pick<NearbyUser, 'display_name' | 'distance_feet'>;
const titleOf = ({ isUrgent, names, verdict }: Verdict): string =>
  `${isUrgent ? 'HIGH: ' : ''}${names} ${verdict}`;

/** Returns where a person is, as a sentence; someone anonymous has no name. */
function whereIs({ display_name, distance_feet }: Somebody, units: Units): string {
  const words = distanceWords(distance_feet, units);
  return `${capitalized(display_name === '' ? words : `${display_name} is ${words}`)}.`;
}

/** Returns the texts of an alert: which dog, who, how far, what to do. */
export function announce(user: Somebody, words: Verdict, units: Units): Announcement {
  const notes = words.notes === '' ? '' : `${words.notes}. `;
  const body = `${notes}${whereIs(user, units)} ${words.advice}`;
  return { title: titleOf(words), body, speech: `${words.names} ${words.verdict}. ${body}` };
}

/** Returns the texts of a quiet notification about somebody without dogs. Nothing is spoken. */
export function announceQuietly(
  { display_name, distance_feet }: Somebody,
  units: Units,
): Pick<Announcement, 'title' | 'body'> {
  const distance = capitalized(distanceWords(distance_feet, units));
  return { title: `${display_name} is near`, body: `${distance}, without a dog.` };
}

/** Returns the texts of an alert that was given before: the person has come closer. */
export function announceCloser(
  { distance_feet }: Somebody,
  words: Verdict,
  units: Units,
): Announcement {
  const distance = `now ${distanceWords(distance_feet, units)}.`;
  return {
    title: titleOf(words),
    body: `${capitalized(distance)} ${words.advice}`,
    speech: `${words.names} ${words.verdict}, ${distance}`,
  };
}
