import { newId } from '#shared/ids.ts';
import type { NearbyUser } from '#shared/proximity/contract.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '#shared/time.ts';
import type { Route } from './route.ts';

/** Someone within 100 ft of the owner during a walk. The place is not stored. */
export interface MetPerson {
  user_id: string;
  display_name: string;
  dogs: NearbyUser['dogs'];
  /** When they last met, to the minute. All times of walks are in ms by this device's clock. */
  at: number;
  /** Whether the owner says that they walked together. */
  isCompanion: boolean;
}

/** A walk as this device stores it, which nobody else gets (decision 310). */
export interface Walk {
  id: string;
  startedAt: number;
  /** Null while it is active. */
  endedAt: number | null;
  /** When the device last gave a position. */
  updatedAt: number;
  /** When the owner last moved. */
  movedAt: number;
  distanceMeters: number;
  /** How many people the owner met; more than `met` has once names were removed. */
  metCount: number;
  /** In the order in which they were first met. */
  met: MetPerson[];
  /** Where it went, without quiet places; missing in walks of earlier versions. */
  route?: Route;
  /** The names of the dogs that came along. */
  dogs?: string[];
  note?: string;
  /** A picture as a data URL. */
  photo?: string;
}

export const WALK_NOTE_MAX = 500;
/** A picture of 1,024 pixels needs a fraction of it. */
export const WALK_PHOTO_CHARACTERS_MAX = 1_500_000;

/** A walk without any movement for this long has ended: the owner forgot to end it, or closed the app. */
export const IDLE_MS = HOUR_MS;
/** A walk that ends later than this after its last position ends with that position. */
const SILENT_MS = 2 * MINUTE_MS;
/** Names of people are removed after this time, except of those whom the owner walked with. */
const NAMES_DAYS = 30;
/** For this long after meeting someone, the owner can send a request to them, report or block them. */
export const ACTIONS_MS = DAY_MS;
const SHORT_MS = MINUTE_MS;
const SHORT_METERS = 50;

/** Returns a new walk. @param at of the first position */
export const startWalk = (at: number, dogs: string[] = []): Walk => ({
  id: newId(),
  startedAt: at,
  endedAt: null,
  updatedAt: at,
  movedAt: at,
  distanceMeters: 0,
  metCount: 0,
  met: [],
  route: [],
  dogs,
});

/** Returns the duration in milliseconds. @param now for an active walk */
export const durationOf = ({ startedAt, endedAt }: Walk, now: number): number =>
  Math.max(0, (endedAt ?? now) - startedAt);

/** Adds people whom the owner meets now, or updates those whom they have met before. */
export function withMet(walk: Walk, people: readonly NearbyUser[], now: number): Walk {
  const at = Math.floor(now / MINUTE_MS) * MINUTE_MS;
  let { met } = walk;
  for (const { user_id, display_name, dogs } of people) {
    const before = met.find((person) => person.user_id === user_id);
    if (before?.at === at) continue;
    const isCompanion = before?.isCompanion === true;
    const person = { user_id, display_name, dogs, at, isCompanion };
    met = before ? met.map((each) => (each === before ? person : each)) : [...met, person];
  }
  return met === walk.met ? walk : { ...walk, met, metCount: Math.max(walk.metCount, met.length) };
}

/** Ends a walk: when the owner last moved if they forgot it, with its last position if there was none lately, else now. */
export function ended(walk: Walk, now: number): Walk {
  const isForgotten = now - walk.movedAt > IDLE_MS;
  const isSilent = Math.abs(now - walk.updatedAt) > SILENT_MS;
  const at = isForgotten ? walk.movedAt : isSilent ? walk.updatedAt : now;
  return { ...walk, endedAt: Math.max(walk.startedAt, at) };
}

/**
 * Whether an ended walk is worth storing.
 * @param isByOwner whether the owner ended it on this device; else it may come from a computer that stayed at home
 */
export function isWorthStoring(walk: Walk, isByOwner: boolean): boolean {
  if (walk.metCount > 0 || walk.distanceMeters >= SHORT_METERS) return true;
  return isByOwner && durationOf(walk, walk.updatedAt) >= SHORT_MS;
}

/** Removes the names of people after 30 days, except of companions; returns the same walk if there are none. */
export function withoutOldNames(walk: Walk, now: number): Walk {
  const met = walk.met.filter(
    ({ at, isCompanion }) => isCompanion || now - at < NAMES_DAYS * DAY_MS,
  );
  return met.length === walk.met.length ? walk : { ...walk, met };
}
