const running = new Set<string>();

/**
 * Does something to a row, unless something is being done to it: a button that is pressed again still shows the row as it was, and
 * the second of two actions would be refused as outdated.
 * @param act ends when the row is shown as it is then
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
