import type { ReportOrder } from '#shared/proximity/contract.ts';
import { STALE_SECONDS } from '#shared/proximity/rules.ts';
import type { ActiveUser } from './active-user.ts';

/** Detects reports that arrive after newer ones of the same tracker. */
export class ReportSequence {
  /** The last numbers of trackers that are not in use: their users stopped sharing, or report by another one. */
  #recent = new Map<string, number>();
  /** The numbers from before `#recent` was started; replaced with it, so that none needs a time of its own. */
  #older = new Map<string, number>();
  #startedAt = -Infinity;

  isLate(user: ActiveUser | undefined, { device, sequence }: ReportOrder): boolean {
    if (device === undefined || sequence === undefined) return false;
    const last =
      user?.tracker === device
        ? user.sequence
        : (this.#recent.get(device) ?? this.#older.get(device) ?? -1);
    return sequence <= last;
  }

  /** Records a report that is used. */
  accept(user: ActiveUser, { device = '', sequence = -1 }: ReportOrder, now: number): void {
    if (device !== user.tracker) {
      this.retire(user, now);
      user.tracker = device;
    }
    user.sequence = sequence;
  }

  /** Remembers the tracker of a user who stops sharing or reports by another one. */
  retire(user: ActiveUser, now: number): void {
    const { tracker: device, sequence } = user;
    if (device !== '') this.ignoreUpTo({ device, sequence }, now);
  }

  /** Ignores what a tracker sent up to this number. */
  ignoreUpTo({ device, sequence }: ReportOrder, now: number): void {
    if (device === undefined || sequence === undefined) return;
    if (now - this.#startedAt > STALE_SECONDS * 1000) {
      this.#older = this.#recent;
      this.#recent = new Map();
      this.#startedAt = now;
    }
    const last = this.#recent.get(device) ?? this.#older.get(device) ?? -1;
    this.#recent.set(device, Math.max(last, sequence));
  }
}
