import type { PositionReport } from '#shared/proximity/contract.ts';
import { isTooRough } from '#shared/proximity/rules.ts';
import { FASTEST } from './track.ts';

/** Whoever states that they go faster than anybody walks or runs is carried by something. */
export const isDriving = ({ speed }: PositionReport): boolean => (speed ?? 0) > FASTEST;

/** Whether a position makes nobody meet: it is too rough, or it only passes. */
export const staysAside = (report: PositionReport): boolean =>
  isTooRough(report) || isDriving(report);
