import type { SegmentPair } from '#shared/chat/threads.ts';

/**
 * The numbers of a thread that follow one another around one, as far as all of them are here.
 * @param parts newest first
 */
export function numbersAround(
  parts: readonly Pick<SegmentPair, 'number'>[],
  number: number,
  here: ReadonlySet<number>,
): { from: number; to: number } {
  const end = (towards: 1 | -1): number => {
    let at = parts.findIndex((part) => part.number === number);
    while (here.has(parts[at + towards]?.number ?? 0)) at += towards;
    return parts[at]?.number ?? number;
  };
  return { from: end(1), to: end(-1) };
}
