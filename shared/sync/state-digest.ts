/** Maximum number of marks in a message. */
export const MARKS_MAX = 5000;
/** A document with more heads than this is not compared. */
const HEADS_MAX = 8;
const WORDS = 3;
const WORD_DIGITS = 8;
const MARK_BYTES = 4 * WORDS;
/** Bytes in hexadecimal. */
const HEX = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'));

/**
 * Returns a digest (mark) of a document's state in 24 hexadecimal digits: the first 96 bits of its head, a SHA-256, mixed with its
 * id. Only writers of a document could make two states collide, at the expense of its readers.
 * @param heads in hexadecimal, in any order
 * @returns null if there are none, or too many
 */
export function stateDigest(documentId: string, heads: readonly string[]): string | null {
  if (heads.length === 0 || heads.length > HEADS_MAX) return null;
  let seed = 0x811c9dc5;
  for (let i = 0; i < documentId.length; i++)
    seed = Math.imul(seed ^ documentId.charCodeAt(i), 0x01000193);
  let mark = '';
  const sorted = heads.length === 1 ? heads : heads.toSorted();
  for (let at = 0; at < WORDS * WORD_DIGITS; at += WORD_DIGITS) {
    let word = seed;
    // Multiplication by an odd number is reversible, so no bits are lost.
    for (const head of sorted)
      word = Math.imul(word ^ Number.parseInt(head.slice(at, at + WORD_DIGITS), 16), 0x9e3779b1);
    mark += (word >>> 0).toString(16).padStart(WORD_DIGITS, '0');
  }
  return mark;
}

/** Packs digests into 12 bytes each (decision 37). */
export function writeMarks(marks: readonly string[]): Uint8Array {
  const bytes = new Uint8Array(marks.length * MARK_BYTES);
  let at = 0;
  for (const mark of marks)
    for (let digit = 0; digit < 2 * MARK_BYTES; digit += 2)
      bytes[at++] = (digitAt(mark, digit) << 4) | digitAt(mark, digit + 1);
  return bytes;
}

/** `parseInt` takes ten times as long, and a device that reconnects writes a thousand marks at once. */
function digitAt(mark: string, at: number): number {
  const code = mark.charCodeAt(at);
  return (code & 15) + 9 * (code >> 6);
}

/** Unpacks digests. @throws when the bytes are invalid, or there are too many */
export function readMarks(bytes: Uint8Array): string[] {
  const count = bytes.length / MARK_BYTES;
  if (!Number.isInteger(count) || count > MARKS_MAX) throw new Error('invalid marks, or too many');
  return Array.from({ length: count }, (_, i) => {
    let mark = '';
    for (let at = i * MARK_BYTES; at < (i + 1) * MARK_BYTES; at++) mark += HEX[bytes[at]!]!;
    return mark;
  });
}

/** Packs into one bit per mark whether it matches. */
export function encodeMatches(verdicts: readonly boolean[]): Uint8Array {
  const bytes = new Uint8Array(Math.ceil(verdicts.length / 8));
  for (const [i, matches] of verdicts.entries()) if (matches) bytes[i >> 3]! |= 1 << (i & 7);
  return bytes;
}

/** Whether the mark at this index matches; false beyond the end of the bytes. */
export const isMatch = (bytes: Uint8Array, i: number): boolean =>
  ((bytes[i >> 3] ?? 0) & (1 << (i & 7))) !== 0;
