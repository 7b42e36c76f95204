import { DAY_MS, HOUR_MS, MINUTE_MS } from '../time.ts';

export const PLACE_NAME_MAX = 100;
export const NOTE_MAX = 500;
/** So many friends can be invited to a walk. */
export const PARTICIPANTS_MAX = 20;
/** So far ahead a walk can be planned. */
export const DAYS_AHEAD_MAX = 60;
/** So many of a person's own planned walks may lie ahead. */
export const AHEAD_MAX = 50;
/** Walks whose starts are closer than this are likely to overlap. */
export const OVERLAP_MS = HOUR_MS;
/** How long a walk is stored and listed after its start. */
export const STORED_MS = 3 * DAY_MS;
/** How long before the start the reminder comes; the second one for a walk that was planned too late for the first. */
const REMINDERS_MS = [HOUR_MS, 10 * MINUTE_MS];

/** Returns what is wrong with the start of a new or moved walk; null if it is in range. */
export function problemOfStart(startsAt: number, now: number): string | null {
  if (!(startsAt > now)) return 'Choose a time in the future';
  if (startsAt > now + DAYS_AHEAD_MAX * DAY_MS)
    return `Choose a time within the next ${DAYS_AHEAD_MAX} days`;
  return null;
}

/** Returns when to remind of a walk; null if it starts too soon. */
export function reminderFor(startsAt: number, now: number): number | null {
  const before = REMINDERS_MS.find((ms) => startsAt - ms > now);
  return before === undefined ? null : startsAt - before;
}

/** Returns the path of the screen that shows a planned walk. */
export const plannedWalkPath = (id: string): string =>
  `/walks/planned?walk=${encodeURIComponent(id)}`;

/** What a person is notified of. */
export const WALK_NOTICES = ['invited', 'changed', 'canceled', 'yes', 'maybe', 'no'] as const;
export type WalkNotice = (typeof WALK_NOTICES)[number];

/** @param name of the organizer, or of who answered */
export const noticeText = (notice: WalkNotice, name: string): string =>
  ({
    invited: `${name} invited you to a walk.`,
    changed: `${name} changed a planned walk.`,
    canceled: `${name} canceled a planned walk.`,
    yes: `${name} is coming to your walk.`,
    maybe: `${name} may come to your walk.`,
    no: `${name} can’t come to your walk.`,
  })[notice];

/** Returns the path of the form for a new walk at a place. */
export const planWalkAt = (placeId: string): string =>
  `/walks/planned?open=plan-walk&id=${encodeURIComponent(placeId)}`;

/** Returns the path of the form for a new walk with a friend. */
export const planWalkWith = (userId: string): string =>
  `/walks/planned?open=plan-walk-with&id=${encodeURIComponent(userId)}`;
