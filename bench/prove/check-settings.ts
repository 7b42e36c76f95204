/** What a check tried, and what went wrong. */
export interface Outcome {
  /** How often, and what of: “12,000 requests”. */
  tried: string;
  /** Each kind of failure once, with an example that reproduces it. */
  failures: string[];
}

export interface CheckSettings {
  /** Where the product runs, without a slash at the end. */
  origin: string;
  /** Its data directory. */
  dataDir: string;
  /** Where the inspector of a process opens that is asked for it. */
  inspectorPort: number;
  /** How long it may take, in ms. */
  budgetMs: number;
  /** Makes it repeatable. */
  seed: number;
  interrupted: AbortSignal;
}

/** Collects failures by kind, with the number of times and the first example. */
export class Failures {
  readonly #byKind = new Map<string, { times: number; example: string }>();

  add(kind: string, example: string): void {
    const known = this.#byKind.get(kind);
    if (known) known.times++;
    else this.#byKind.set(kind, { times: 1, example });
  }

  get list(): string[] {
    return [...this.#byKind].map(
      ([kind, { times, example }]) => `${kind}, ${times}×, such as ${example}`,
    );
  }
}
