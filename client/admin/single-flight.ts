/** What is being done, by what it is done to. */
const going = new Set<string>();

/**
 * Does something to a row, unless something is being done to it: a button that is pressed once more shows what was, still, and
 * the second of two would be told that another admin was quicker.
 * @param act ends when the row is shown as it is then
 */
export async function once(row: string, act: () => Promise<unknown>): Promise<void> {
  if (going.has(row)) return;
  going.add(row);
  try {
    await act();
  } finally {
    going.delete(row);
  }
}
