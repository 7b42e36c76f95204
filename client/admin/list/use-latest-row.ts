import { useState } from 'react';

/**
 * The row of a list that a dialog is about, as it is now; as it last was once another admin's act took it off the page: what
 * is typed in the dialog does not go with it.
 * @param id null while the dialog is closed
 */
export function useLatestRow<Row extends { id: string | number }>(
  rows: readonly Row[] | undefined,
  id: string | null,
): Row | undefined {
  const [kept, setKept] = useState<Row>();
  if (id === null) return undefined;
  const found = rows?.find((row) => String(row.id) === id);
  if (found && found !== kept) setKept(found);
  if (found) return found;
  return kept && String(kept.id) === id ? kept : undefined;
}
