/**
 * Loaded into measured servers: on a message, a process collects garbage and reports its memory: its heap, and
 * Automerge's memory and buffers outside of it.
 */
process.on('SIGUSR2', () => {
  (globalThis as { gc?: () => void }).gc?.();
  const { heapUsed, external } = process.memoryUsage();
  process.send?.({ heldBytes: heapUsed + external });
});
