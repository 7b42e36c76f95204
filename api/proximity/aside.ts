import type { PositionReport } from '#shared/proximity/contract.ts';
import { isTooRough, POLL_SECONDS } from '#shared/proximity/rules.ts';
import { FASTEST } from './track.ts';

/** How often those report who drive, so that they count soon after they got out. */
const DRIVING_SECONDS = 10;

/** Whoever states that they go faster than anybody walks or runs is carried by something. */
const isDriving = ({ speed }: PositionReport): boolean => (speed ?? 0) > FASTEST;

/** Whether a position makes nobody meet: it is too rough, or it only passes. */
export const staysAside = (report: PositionReport): boolean =>
  isTooRough(report) || isDriving(report);

/** Seconds until somebody is to report again when nobody is near. */
export const longestPause = (report: PositionReport): number =>
  isDriving(report) ? DRIVING_SECONDS : POLL_SECONDS;
