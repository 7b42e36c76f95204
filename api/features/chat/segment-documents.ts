import type { ThreadRow } from './collections.ts';

/** The documents of a thread's segments. */
const placed = ({ segments }: ThreadRow): string[] =>
  segments.flatMap(({ documents }) => Object.values(documents));

/** Returns the document in which a segment of an author is now. @param number from 1 */
export const documentOf = (
  thread: ThreadRow | null,
  number: number,
  author: string,
): string | undefined => thread?.segments[number - 1]?.documents[author];

/** Returns documents that duplicate a segment: unfinished replacements, and replaced ones. */
export function unplacedDocuments(thread: ThreadRow): string[] {
  const inPlace = new Set(placed(thread));
  const all = (thread.successions ?? []).flatMap(({ old, fresh }) => [old, fresh]);
  return all.filter((id) => !inPlace.has(id));
}

/** Returns whether a document is an unfinished replacement. */
export const isInMaking = (thread: ThreadRow, id: string): boolean =>
  (thread.successions ?? []).some(({ old, fresh }) => fresh === id && placed(thread).includes(old));

/** Returns all documents with messages of a thread. */
export const documentsOf = (thread: ThreadRow): string[] => [
  ...placed(thread),
  ...unplacedDocuments(thread),
];
