import type { ShownPlannedWalk } from './optimistic-planned-walks.ts';

const SHOWN_MAX = 2;

/** Returns the next walks that will take place and that the owner hasn't turned down. @param walks first to last */
export const nextWalks = (
  walks: readonly ShownPlannedWalk[],
  now: number,
): readonly ShownPlannedWalk[] =>
  walks
    .filter(
      ({ is_canceled, own_answer, starts_at }) =>
        !is_canceled && own_answer !== 'no' && Date.parse(starts_at) > now,
    )
    .slice(0, SHOWN_MAX);

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
