import { vi } from 'vitest';

/** How long a test waits for what it stands on, unless it says otherwise: Vitest's own second is luck on a busy machine. */
const PATIENCE_MS = 15_000;

const { waitFor } = vi;
vi.waitFor = (callback, options) =>
  waitFor(callback, typeof options === 'number' ? options : { timeout: PATIENCE_MS, ...options });
