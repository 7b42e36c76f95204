import type { SegmentPair } from '#shared/chat/threads.ts';

/**
 * The numbers of a thread that follow one another around one, as far as all of them are here.
 * @param segments newest first
 */
export function numbersAround(
  segments: readonly Pick<SegmentPair, 'number'>[],
  number: number,
  here: ReadonlySet<number>,
): { from: number; to: number } {
  const end = (towards: 1 | -1): number => {
    let at = segments.findIndex((segment) => segment.number === number);
    while (here.has(segments[at + towards]?.number ?? 0)) at += towards;
    return segments[at]?.number ?? number;
  };
  return { from: end(1), to: end(-1) };
}
