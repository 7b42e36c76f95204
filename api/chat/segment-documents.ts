import type { ThreadRow } from './collections.ts';

/** The documents of a thread's segments. */
const placed = ({ segments }: ThreadRow): string[] =>
  segments.flatMap(({ documents }) => Object.values(documents));

/** Documents that say again what is in a segment: about to take its place, or what had it before. */
export function unplacedDocuments(thread: ThreadRow): string[] {
  const inPlace = new Set(placed(thread));
  const all = (thread.successions ?? []).flatMap(({ old, fresh }) => [old, fresh]);
  return all.filter((id) => !inPlace.has(id));
}

/** Whether a document is still being made: what it is to follow has its place. */
export const isInMaking = (thread: ThreadRow, id: string): boolean =>
  (thread.successions ?? []).some(({ old, fresh }) => fresh === id && placed(thread).includes(old));

/** All that hold what was written in a thread. */
export const documentsOf = (thread: ThreadRow): string[] => [
  ...placed(thread),
  ...unplacedDocuments(thread),
];
