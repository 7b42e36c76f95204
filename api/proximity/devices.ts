import { metresBetween, type Place } from '#shared/place.ts';
import type { PositionReport } from '#shared/proximity/contract.ts';
import { RADIUS_METRES, STALE_SECONDS } from '#shared/proximity/rules.ts';
import type { Live } from './live.ts';

interface Device {
  /** Where it was when it was first heard of, or last seen to have moved; metres. */
  place: Place;
  accuracy: number;
  /** When it reported last, in milliseconds. */
  at: number;
}

/** The devices of somebody who shares from several: which of them walks, and which lies somewhere. */
export class Devices {
  readonly #devices = new Map<string, Device>();
  /** The one that moved last; '' while none did. */
  #walking = '';

  /** Of somebody of whom one device was known until now. */
  constructor({ from, latitude, longitude, reportedAt }: Live) {
    this.#devices.set(from, { place: { latitude, longitude }, accuracy: 0, at: reportedAt });
  }

  heard(device: string, report: PositionReport, now: number): void {
    const hasMoved = this.hasMoved(device, report);
    if (hasMoved) this.#walking = device;
    const known = this.#devices.get(device);
    if (known && !hasMoved) {
      known.at = now;
      return;
    }
    for (const [each, { at }] of this.#devices)
      if (at < now - STALE_SECONDS * 1000) this.#devices.delete(each);
    const { latitude, longitude, accuracy } = report;
    this.#devices.set(device, { place: { latitude, longitude }, accuracy: accuracy ?? 0, at: now });
  }

  /** Whether it was carried so far that it matters to whom one meets, and farther than it may only have been located wrongly. */
  hasMoved(device: string, report: PositionReport): boolean {
    const known = this.#devices.get(device);
    if (!known) return false;
    const unsure = known.accuracy + (report.accuracy ?? 0);
    return metresBetween(known.place, report) > Math.max(RADIUS_METRES, unsure);
  }

  isWalking(device: string): boolean {
    return device === this.#walking;
  }

  /** In milliseconds; -Infinity where it never did. */
  reportedAt(device: string): number {
    return this.#devices.get(device)?.at ?? -Infinity;
  }
}

/** Whether a report is from a device that its owner has left somewhere: it lies where it lay, and another one of theirs walks. */
export const isLeftBehind = (live: Live, from: string, report: PositionReport): boolean =>
  live.devices !== null &&
  from !== live.from &&
  live.devices.isWalking(live.from) &&
  !live.devices.hasMoved(from, report);
