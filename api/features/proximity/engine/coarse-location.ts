import { createHmac } from 'node:crypto';
import { METERS_PER_DEGREE, type Place, radians, wrapLongitude } from '#shared/place.ts';
import { RADIUS_METERS } from '#shared/proximity/rules.ts';
import { DAY_MS } from '#shared/time.ts';

/**
 * Coarse location: a person's position moved by a secret offset and snapped to a grid, as Android's LocationFudger does.
 * Everything that another person may learn before both are notified is computed from it (decision 230): what is shown to a
 * caller from the caller's position and coarse locations, the times of reports from coarse locations only, because one person
 * can observe the times of another one's reports.
 */

/** How far the offset moves a position, in meters. Never less, so that the center of the guess is wrong by at least that. */
export const OFFSET_MIN_METERS = 40;
export const OFFSET_MAX_METERS = 72;
/** Distance between the points of the grid, in meters. */
const GRID_METERS = 24;
/** A coarse location is at most this far from the real one, in meters. */
export const COARSE_ERROR_METERS = OFFSET_MAX_METERS + GRID_METERS / Math.SQRT2 + 1;
/** Two users whose coarse locations are this close may be within the encounter radius. */
export const COARSE_RADIUS_METERS = RADIUS_METERS + 2 * COARSE_ERROR_METERS;
/** Larger cells than usual, because users who may come near are searched for in a wide area. */
export const COARSE_CELL_METERS = 128;

/** An offset is valid in a square region of this width, in meters, and for this long. */
const REGION_METERS = 600;
const EPOCH_MS = 30 * DAY_MS;
/** The two offsets of a person differ by at most half of this share of a circle, so that their mean is no better guess. */
const SPREAD = 0.65;
const GRID_DEGREES = GRID_METERS / METERS_PER_DEGREE;

/** In meters. */
export interface Offset {
  east: number;
  north: number;
}

/**
 * Spreads two random numbers evenly over the ring of allowed offsets.
 * @param direction, distance from 0 to 1
 */
export function ringOffset(direction: number, distance: number): Offset {
  const [least, most] = [OFFSET_MIN_METERS ** 2, OFFSET_MAX_METERS ** 2];
  const meters = Math.sqrt(least + (most - least) * distance);
  const angle = 2 * Math.PI * direction;
  return { east: meters * Math.sin(angle), north: meters * Math.cos(angle) };
}

/**
 * The secret offset of one person wherever they are. Warnings without names have one of their own, so that somebody who met a person by
 * name doesn't know it.
 */
export type OffsetOf = (place: Place, isAnonymous?: boolean) => Offset;

/**
 * Creates the function that gives a person's secret offsets. An offset is valid for a region and a month: many days at one place do not
 * average it, and an encounter elsewhere does not reveal it. It is the same for all viewers, so that several accounts
 * cannot average it either. The borders of a person's regions are secret, too.
 * @param secret known to the servers only
 */
export function createOffsets(secret: string): (userId: string, now: () => number) => OffsetOf {
  const numbers = (text: string): [number, number, number, number] => {
    const digest = createHmac('sha256', secret).update(`coarse-location ${text}`).digest();
    const number = (index: number) => digest.readUInt32BE(index * 4) / 2 ** 32;
    return [number(0), number(1), number(2), number(3)];
  };
  return (userId, now) => {
    const [northShift, eastShift, phase] = numbers(`regions ${userId}`);
    let knownRegion = '';
    let named: Offset = { east: 0, north: 0 };
    let anonymous = named;
    return ({ latitude, longitude }, isAnonymous = false) => {
      const row = Math.floor((latitude * METERS_PER_DEGREE) / REGION_METERS + northShift);
      const width =
        REGION_METERS /
        Math.max(1e-6, Math.cos(radians((row * REGION_METERS) / METERS_PER_DEGREE)));
      const column = Math.floor((longitude * METERS_PER_DEGREE) / width + eastShift);
      const region = `${row} ${column} ${Math.floor(now() / EPOCH_MS + phase)}`;
      if (region !== knownRegion) {
        const [direction, distance, turn, other] = numbers(`offset ${userId} ${region}`);
        named = ringOffset(direction, distance);
        anonymous = ringOffset(direction + SPREAD * (turn - 0.5), other);
        knownRegion = region;
      }
      return isAnonymous ? anonymous : named;
    };
  };
}

/** Moves a place by the offset and snaps it to the grid, whose columns follow the latitude. */
export function coarsePlace({ latitude, longitude }: Place, offset: Offset): Place {
  const moved = latitude + offset.north / METERS_PER_DEGREE;
  const north = Math.max(-90, Math.min(90, Math.round(moved / GRID_DEGREES) * GRID_DEGREES));
  const perMeter = 1 / (METERS_PER_DEGREE * Math.max(1e-6, Math.cos(radians(north))));
  const column = GRID_METERS * perMeter;
  const east = Math.round((longitude + offset.east * perMeter) / column) * column;
  return { latitude: north, longitude: wrapLongitude(east) };
}
