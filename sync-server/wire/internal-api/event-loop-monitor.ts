const TICK_MS = 10;

/**
 * Measures how long this process blocks its event loop. Only its own CPU time counts, so other processes on the machine do
 * not look like stalls.
 */
export class EventLoopMonitor {
  #timer: NodeJS.Timeout | null = null;
  #longest = 0;

  /** Returns the longest stall in milliseconds since the last call. The first call starts the measurement. */
  takeLongest(): number {
    const longest = this.#longest;
    this.#longest = 0;
    this.#timer ??= this.#start();
    return longest;
  }

  stop(): void {
    if (this.#timer) clearInterval(this.#timer);
  }

  #start(): NodeJS.Timeout {
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
