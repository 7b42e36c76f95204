const running = new Set<string>();

/**
 * Runs an action on a row, unless another one is running: a second press would still refer to the old row and be rejected as
 * outdated.
 * @param act settles when the updated row is shown
 */
export async function singleFlight(row: string, act: () => Promise<unknown>): Promise<void> {
  if (running.has(row)) return;
  running.add(row);
  try {
    await act();
  } finally {
    running.delete(row);
  }
}
