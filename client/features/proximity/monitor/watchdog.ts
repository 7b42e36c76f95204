import { STALE_SECONDS } from '#shared/proximity/rules.ts';
import { PRODUCT } from '../../../platform/product.ts';
import type { AlertOutputs } from '../output/alert-outputs.ts';
import type { Clock } from '../tracking/tracker.ts';
import {
  type ProximityState,
  STATUS_TEXTS,
  type Stopped,
  type TrackingStatus,
} from './proximity-state.ts';

const TITLE = 'Warnings have stopped';
const SEE_WHY = `Open ${PRODUCT} to see why`;
/** How long another tab has to take over. */
const HANDOVER_MS = 3000;
const VIBRATION = [400, 200, 400] as const;
const TROUBLE: ReadonlySet<TrackingStatus> = new Set([
  'offline',
  'unreachable',
  'failing',
  'lost',
  'rough',
  'unconfirmed',
  'denied',
  'unsupported',
]);

/**
 * Notifies the owner once that warnings have stopped, when the server's copy of their position expires. With the phone in
 * a pocket, silence could otherwise mean either that no one is near or that nothing works.
 */
export class Watchdog {
  readonly #outputs: Pick<AlertOutputs, 'speak' | 'vibrate' | 'notify'>;
  readonly #clock: Clock;
  readonly #onAnnounced: () => void;
  #hasWorked: boolean;
  #status: TrackingStatus = 'off';
  #stopped: Stopped | null;
  #cancel: (() => void) | null = null;
  #closeNotice: (() => void) | null = null;

  /**
   * @param before the state when this tab took over
   * @param onAnnounced called after the owner was notified and `stopped.isAnnounced` is set
   */
  constructor(
    outputs: Pick<AlertOutputs, 'speak' | 'vibrate' | 'notify'>,
    clock: Clock,
    before: Pick<ProximityState, 'status' | 'stopped'>,
    onAnnounced: () => void,
  ) {
    this.#outputs = outputs;
    this.#clock = clock;
    this.#onAnnounced = onAnnounced;
    this.#stopped = before.stopped;
    this.#hasWorked = before.status === 'active' || before.stopped !== null;
  }

  /** Since when warnings have stopped working; handed on to the tab that takes over. */
  get stopped(): Stopped | null {
    return this.#stopped;
  }

  /** Updates the tracking status. */
  update(status: TrackingStatus): void {
    this.#status = status;
    if (TROUBLE.has(status)) {
      if (this.#hasWorked) this.#cancel ??= this.#begin();
      return;
    }
    if (status === 'active') this.#hasWorked = true;
    if (status !== 'active' && status !== 'quiet') return;
    this.#stopped = null;
    this.close();
  }

  /** Schedules the notification. One that another tab already announced is shown here without sound. */
  #begin(): () => void {
    const now = this.#clock.now();
    this.#stopped ??= { since: now, isAnnounced: false };
    const { since, isAnnounced } = this.#stopped;
    const left = isAnnounced ? 0 : STALE_SECONDS * 1000 - Math.abs(now - since);
    return this.#clock.after(Math.max(0, left), () => {
      const body = STATUS_TEXTS[this.#status].title;
      this.#show(body);
      if (isAnnounced) return;
      this.#say(body);
      this.#stopped = { since, isAnnounced: true };
      this.#onAnnounced();
    });
  }

  /** Closes the notification. */
  close(): void {
    this.#cancel?.();
    this.#cancel = null;
    this.#closeNotice?.();
    this.#closeNotice = null;
  }

  /**
   * Call after `close` when warnings end in this tab without the owner's doing, such as when their session or access has
   * ended: notifies the owner, unless another tab takes over.
   */
  leave(goesOn: () => Promise<boolean>): void {
    if (!this.#hasWorked) return;
    const check = async () => {
      if (await goesOn()) return;
      this.#show(SEE_WHY);
      this.#say(SEE_WHY);
    };
    this.#clock.after(HANDOVER_MS, () => void check());
  }

  /** @param body the reason */
  #show(body: string): void {
    this.#closeNotice = this.#outputs.notify({
      title: TITLE,
      body,
      tag: 'proximity-stopped',
      urgent: true,
    });
  }

  #say(body: string): void {
    this.#outputs.vibrate(VIBRATION);
    void this.#outputs.speak('leash_off', `${TITLE}. ${body}.`);
  }
}
