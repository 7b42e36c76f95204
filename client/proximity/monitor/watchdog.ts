import { STALE_SECONDS } from '#shared/proximity/rules.ts';
import { PRODUCT } from '../../product.ts';
import type { Clock } from '../tracking/clock.ts';
import type { AlertOutputs } from '../output/alert-outputs.ts';
import type { ProximityState, Stopped, TrackingStatus } from './proximity-state.ts';
import { STATUS_WORDS } from '../components/tracking-status-text.ts';

const TITLE = 'Warnings have stopped';
const SEE_WHY = `Open ${PRODUCT} to see why`;
/** So long another tab has to go on with the warning. */
const HANDOVER_MS = 3000;
const VIBRATION = [400, 200, 400] as const;
const TROUBLE: ReadonlySet<TrackingStatus> = new Set([
  'offline',
  'failing',
  'lost',
  'rough',
  'unconfirmed',
  'denied',
  'unsupported',
]);

/**
 * Tells an owner whose phone is in a pocket that there are no warnings any more: once, when the server has forgotten where
 * they are. Nothing else would tell silence because nobody is near from silence because nothing works.
 */
export class Watchdog {
  readonly #outputs: Pick<AlertOutputs, 'speak' | 'vibrate' | 'notify'>;
  readonly #clock: Clock;
  readonly #onTold: () => void;
  #hasWorked: boolean;
  #status: TrackingStatus = 'off';
  #stopped: Stopped | null;
  #cancel: (() => void) | null = null;
  #takeAway: (() => void) | null = null;

  /**
   * @param before how the warning stood when this tab took it over
   * @param onTold is called when `stopped` says that its owner was told
   */
  constructor(
    outputs: Pick<AlertOutputs, 'speak' | 'vibrate' | 'notify'>,
    clock: Clock,
    before: Pick<ProximityState, 'status' | 'stopped'>,
    onTold: () => void,
  ) {
    this.#outputs = outputs;
    this.#clock = clock;
    this.#onTold = onTold;
    this.#stopped = before.stopped;
    this.#hasWorked = before.status === 'active' || before.stopped !== null;
  }

  /** Since when warnings that worked are in trouble; for the tab that takes them over. */
  get stopped(): Stopped | null {
    return this.#stopped;
  }

  /** How the warning stands. */
  see(status: TrackingStatus): void {
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

  /** What was told in another tab is shown in this one, and not said again. */
  #begin(): () => void {
    const now = this.#clock.now();
    this.#stopped ??= { since: now, isTold: false };
    const { since, isTold } = this.#stopped;
    const left = isTold ? 0 : STALE_SECONDS * 1000 - Math.abs(now - since);
    return this.#clock.after(Math.max(0, left), () => {
      const body = STATUS_WORDS[this.#status].title;
      this.#show(body);
      if (isTold) return;
      this.#say(body);
      this.#stopped = { since, isTold: true };
      this.#onTold();
    });
  }

  /** Takes back what was told. */
  close(): void {
    this.#cancel?.();
    this.#cancel = null;
    this.#takeAway?.();
    this.#takeAway = null;
  }

  /**
   * After `close`, where the warning ends in this tab without its owner's wish, as when their session or their access is
   * over: says so at once, unless another tab goes on with it.
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

  /** @param body why */
  #show(body: string): void {
    this.#takeAway = this.#outputs.notify({
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
