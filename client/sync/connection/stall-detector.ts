/** Something unconfirmed for this long over an open connection: it may carry nothing, so dial again. */
const STALLED_MS = 15_000;
const STALLS_COUNTED = 5;

/** Notices a connection that is open and carries nothing; each time in a row it waits longer. */
export class ConnectionStallDetector {
  private timer: ReturnType<typeof setTimeout> | undefined;
  private stalls = 0;
  private readonly onStalled: () => void;

  constructor(onStalled: () => void) {
    this.onStalled = onStalled;
  }

  /** To be told after each change of either. */
  look(isConnected: boolean, isConfirmed: boolean): void {
    if (isConfirmed) this.stalls = 0;
    if (isConfirmed || !isConnected) return this.stop();
    this.timer ??= setTimeout(
      () => {
        this.stalls = Math.min(STALLS_COUNTED, this.stalls + 1);
        this.onStalled();
      },
      STALLED_MS * 2 ** this.stalls,
    );
  }

  stop(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
  }
}
