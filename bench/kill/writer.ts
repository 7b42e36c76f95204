/** Writes one thing after the other until the signal is aborted. */
export interface Writer {
  name: string;
  /** The number of acknowledged writes. */
  acknowledged(): number;
  run(signal: AbortSignal): Promise<void>;
  /** Returns descriptions of acknowledged writes that are missing. */
  missing(): Promise<string[]>;
  close(): void;
}
