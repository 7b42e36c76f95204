import { OVERLAP_MS } from '#shared/planned-walks/rules.ts';
import type { ShownPlannedWalk } from './optimistic-planned-walks.ts';

const SHOWN_MAX = 2;

/** Whether a walk will take place and the owner hasn't turned it down. */
const isNext = ({ is_canceled, own_answer, starts_at }: ShownPlannedWalk, now: number): boolean =>
  !is_canceled && own_answer !== 'no' && Date.parse(starts_at) > now;

/** Returns the next walks of the owner. @param walks first to last */
export const nextWalks = (
  walks: readonly ShownPlannedWalk[],
  now: number,
): readonly ShownPlannedWalk[] => walks.filter((walk) => isNext(walk, now)).slice(0, SHOWN_MAX);

/** Returns the walk of the owner that is at about the same time as a start. @param except the id of the walk that starts then */
export const walkAtSameTime = (
  walks: readonly ShownPlannedWalk[],
  startsAt: number,
  { except, now }: { except: string | undefined; now: number },
): ShownPlannedWalk | undefined =>
  walks.find(
    (walk) =>
      walk.id !== except &&
      isNext(walk, now) &&
      Math.abs(Date.parse(walk.starts_at) - startsAt) < OVERLAP_MS,
  );

/** Returns the state of answers in words: the owner's own, or those that their walk got. */
export function answerState({
  is_own,
  own_answer,
  organizer,
  participants,
}: ShownPlannedWalk): string {
  if (is_own) {
    const coming = participants.filter(({ answer }) => answer === 'yes').length;
    return coming === 0 ? 'No one has accepted yet' : `${coming} coming`;
  }
  if (own_answer === 'yes') return `You’re going with ${organizer.name}`;
  if (own_answer === 'maybe') return `You may go with ${organizer.name}`;
  return `${organizer.name} invited you. Are you coming?`;
}
