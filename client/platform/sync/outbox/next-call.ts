import type { StoredCall } from './answered-calls.ts';

/** Returns the ids in a call's path and body. */
const idsIn = ({ input }: StoredCall): string[] =>
  Object.values(input)
    .flatMap((section: unknown) => Object.entries((section ?? {}) as Record<string, unknown>))
    .filter(([key, value]) => /id$/i.test(key) && typeof value === 'string')
    .map(([, value]) => value as string);

/**
 * Returns the call to send: the first that is not paused and may overtake those before it. Calls with a common id stay in order, so
 * that no unblock overtakes its block.
 * @param rows first to last
 */
export function nextCall<R extends StoredCall>(
  rows: readonly R[],
  isPaused: (row: R) => boolean,
): R | undefined {
  const passed = new Set<string>();
  return rows.find((row) => {
    const ids = idsIn(row);
    if (!isPaused(row) && !ids.some((id) => passed.has(id))) return true;
    for (const id of ids) passed.add(id);
    return false;
  });
}
