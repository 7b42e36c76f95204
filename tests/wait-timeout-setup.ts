import { vi } from 'vitest';

/** The default timeout of `vi.waitFor`. Vitest's default of one second is too short on a busy machine. */
const PATIENCE_MS = 30_000;

const { waitFor } = vi;
vi.waitFor = (callback, options) =>
  waitFor(callback, typeof options === 'number' ? options : { timeout: PATIENCE_MS, ...options });
