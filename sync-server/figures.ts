const TICK_MS = 10;

/**
 * Watches how long this process keeps its event loop busy at a stretch. Only its own CPU time counts, so that a
 * neighbour who takes the machine away for a moment is not mistaken for a stall.
 */
export class StallWatch {
  #timer: NodeJS.Timeout | null = null;
  #longest = 0;

  /** The longest stall in milliseconds since it was last asked for; watching begins with the first time. */
  take(): number {
    const longest = this.#longest;
    this.#longest = 0;
    this.#timer ??= this.#watch();
    return longest;
  }

  stop(): void {
    if (this.#timer) clearInterval(this.#timer);
  }

  #watch(): NodeJS.Timeout {
    let at = performance.now();
    let cpu = process.cpuUsage();
    return setInterval(() => {
      const now = performance.now();
      const { user, system } = process.cpuUsage(cpu);
      this.#longest = Math.max(this.#longest, Math.min(now - at, (user + system) / 1000) - TICK_MS);
      at = now;
      cpu = process.cpuUsage();
    }, TICK_MS).unref();
  }
}
