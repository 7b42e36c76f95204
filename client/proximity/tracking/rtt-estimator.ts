/** A report is late after no less and no more than this, in milliseconds. */
const LEAST_MS = 2_500;
const MOST_MS = 10_000;
/** By how much more is borne with when an answer was late. */
const BACKOFF = 1.5;

/** How long answers take, reckoned as TCP does (RFC 6298): from how long they took until now, and how differently. Milliseconds. */
export class RoundTrip {
  #smoothed: number | null = null;
  #variation = 0;
  #backoff = 1;

  /** What the next one may take as a rule; 0 while none has come. */
  get expected(): number {
    return Math.min(MOST_MS, this.#smoothed ?? 0);
  }

  /** After how long it is late. */
  get patience(): number {
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

  /** An answer was late: the line may be slower than was known. */
  wasLate(): void {
    this.#backoff *= BACKOFF;
  }
}
