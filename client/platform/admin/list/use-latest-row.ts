import { useState } from 'react';

/**
 * Returns the current version of a dialog's row, or the last known one if another admin's action removed it from the page, so
 * that the dialog stays open with what was typed.
 * @param id null while the dialog is closed
 */
export function useLatestRow<Row extends { id: string | number }>(
  rows: readonly Row[] | undefined,
  id: string | null,
): Row | undefined {
  const [latest, setLatest] = useState<Row>();
  if (id === null) return undefined;
  const found = rows?.find((row) => String(row.id) === id);
  if (found && found !== latest) setLatest(found);
  if (found) return found;
  return latest && String(latest.id) === id ? latest : undefined;
}
