/** Bounds of the timeout after which a report counts as late, in milliseconds. */
const LEAST_MS = 2_500;
const MOST_MS = 10_000;
/** Factor applied to the timeout after a late answer. */
const BACKOFF = 1.5;

/** Estimates the round-trip time as TCP does (RFC 6298), from a moving average and its variation. Milliseconds. */
export class RoundTrip {
  #smoothed: number | null = null;
  #variation = 0;
  #backoff = 1;

  /** Expected round trip of the next report; 0 before the first answer. */
  get expected(): number {
    return Math.min(MOST_MS, this.#smoothed ?? 0);
  }

  /** After how long a report is late. */
  get timeout(): number {
    const longest = (this.#smoothed ?? 0) + 4 * this.#variation;
    return Math.min(MOST_MS, Math.max(LEAST_MS, longest) * this.#backoff);
  }

  took(milliseconds: number): void {
    this.#backoff = 1;
    if (this.#smoothed === null) {
      this.#smoothed = milliseconds;
      this.#variation = milliseconds / 2;
      return;
    }
    this.#variation += (Math.abs(milliseconds - this.#smoothed) - this.#variation) / 4;
    this.#smoothed += (milliseconds - this.#smoothed) / 8;
  }

  /** Lengthens the timeout: the connection may be slower than estimated. */
  wasLate(): void {
    this.#backoff *= BACKOFF;
  }
}
