/**
 * Loaded into servers under measurement: told to, a process collects its garbage and says what it then holds: its heap, and what
 * is outside of it, Automerge's memory and buffers.
 */
process.on('SIGUSR2', () => {
  (globalThis as { gc?: () => void }).gc?.();
  const { heapUsed, external } = process.memoryUsage();
  process.send?.({ heldBytes: heapUsed + external });
});
