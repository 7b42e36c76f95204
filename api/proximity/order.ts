import type { ReportOrder } from '#shared/proximity/contract.ts';
import { STALE_SECONDS } from '#shared/proximity/rules.ts';
import type { Live } from './live.ts';

/** Which reports came later than newer ones of the same tracker: the air holds some back. */
export class Order {
  /** The last of trackers whose reports do not stand any more: of those who left, or report by another one. */
  #former = new Map<string, number>();
  /** What was former when this last began anew; it is forgotten with the next time. */
  #older = new Map<string, number>();
  #begunAt = -Infinity;

  isLate(live: Live | undefined, { device, sequence }: ReportOrder): boolean {
    if (device === undefined || sequence === undefined) return false;
    const last =
      live?.tracker === device
        ? live.sequence
        : (this.#former.get(device) ?? this.#older.get(device) ?? -1);
    return sequence <= last;
  }

  /** A report that counts. */
  follow(live: Live, { device = '', sequence = -1 }: ReportOrder, now: number): void {
    if (device !== live.tracker) this.leave(live, now);
    // The former text stays: what is told anew each time would outlive the garbage collector's youth.
    if (device !== live.tracker) live.tracker = device;
    live.sequence = sequence;
  }

  /** Somebody is not here any more, or reports by another tracker. */
  leave(live: Live, now: number): void {
    if (live.tracker !== '') this.note({ device: live.tracker, sequence: live.sequence }, now);
  }

  /** What this tracker sent before does not count any more. */
  note({ device, sequence }: ReportOrder, now: number): void {
    if (device === undefined || sequence === undefined) return;
    // Two lots in turn, instead of an order that a million would have to be kept in.
    if (now - this.#begunAt > STALE_SECONDS * 1000) {
      this.#older = this.#former;
      this.#former = new Map();
      this.#begunAt = now;
    }
    const last = this.#former.get(device) ?? this.#older.get(device) ?? -1;
    this.#former.set(device, Math.max(last, sequence));
  }
}
