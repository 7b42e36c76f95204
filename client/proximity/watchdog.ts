import { STALE_SECONDS } from '#shared/proximity/rules.ts';
import type { AlertOutputs, Clock } from './alerts.ts';
import type { TrackingStatus } from './state.ts';
import { STATUS_WORDS } from './status-words.ts';

const TITLE = 'Warnings have stopped';
const SEE_WHY = 'Open Leashwise to see why';
/** So long another tab has to go on with the warning. */
const HANDOVER_MS = 3000;
const VIBRATION = [400, 200, 400] as const;
const TROUBLE: ReadonlySet<TrackingStatus> = new Set([
  'offline',
  'failing',
  'lost',
  'rough',
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
  #hasWorked: boolean;
  #status: TrackingStatus = 'off';
  #cancel: (() => void) | null = null;
  #takeAway: (() => void) | null = null;

  /** @param before how the warning stood when this tab took it over */
  constructor(
    outputs: Pick<AlertOutputs, 'speak' | 'vibrate' | 'notify'>,
    clock: Clock,
    before: TrackingStatus = 'off',
  ) {
    this.#outputs = outputs;
    this.#clock = clock;
    this.#hasWorked = before === 'active';
  }

  /** How the warning stands. */
  see(status: TrackingStatus): void {
    this.#status = status;
    if (TROUBLE.has(status)) {
      if (this.#hasWorked)
        this.#cancel ??= this.#clock.after(STALE_SECONDS * 1000, () =>
          this.#tell(STATUS_WORDS[this.#status].title),
        );
      return;
    }
    if (status === 'active') this.#hasWorked = true;
    if (status === 'active' || status === 'quiet') this.close();
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
      if (!(await goesOn())) this.#tell(SEE_WHY);
    };
    this.#clock.after(HANDOVER_MS, () => void check());
  }

  /** @param body why */
  #tell(body: string): void {
    this.#takeAway = this.#outputs.notify({
      title: TITLE,
      body,
      tag: 'proximity-stopped',
      urgent: true,
    });
    this.#outputs.vibrate(VIBRATION);
    void this.#outputs.speak('leash_off', `${TITLE}. ${body}.`);
  }
}
