import type { StoredCall } from './outbox-store.ts';

/** The ids that a call names, in its path or its body. */
const idsIn = ({ input }: StoredCall): string[] =>
  Object.values(input)
    .flatMap((part: unknown) => Object.entries((part ?? {}) as Record<string, unknown>))
    .filter(([key, value]) => /id$/i.test(key) && typeof value === 'string')
    .map(([, value]) => value as string);

/**
 * Which call is to be sent: the first, or where that is held the first of those that may go before it. What names the same
 * person or thing keeps its order, so that no unblock overtakes its block.
 * @param rows first to last
 */
export function nextOf<R extends StoredCall>(
  rows: readonly R[],
  isHeld: (row: R) => boolean,
): R | undefined {
  const passed = new Set<string>();
  return rows.find((row) => {
    const ids = idsIn(row);
    if (!isHeld(row) && !ids.some((id) => passed.has(id))) return true;
    for (const id of ids) passed.add(id);
    return false;
  });
}
