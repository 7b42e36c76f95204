/** Created on first use, because that takes a phone 100 ms. */
let segmenter: Intl.Segmenter | null = null;

/** Returns what people see as the characters of a text: an emoji of several code points is one. */
export function* charactersOf(text: string): Generator<string> {
  // Browsers of 2023 lack it.
  if (typeof Intl.Segmenter !== 'function') return yield* text;
  segmenter ??= new Intl.Segmenter();
  for (const { segment } of segmenter.segment(text)) yield segment;
}

/** Returns the beginning of a text, cut between characters. @param max the length in UTF-16 units, as `length` and schemas count */
export function cutText(text: string, max: number): string {
  if (text.length <= max) return text;
  let end = 0;
  for (const character of charactersOf(text)) {
    if (end + character.length > max) break;
    end += character.length;
  }
  // A single letter may carry hundreds of marks.
  return text.slice(0, end || max).replace(/[\ud800-\udbff]$/, '');
}
