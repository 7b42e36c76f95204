import { PREVIEW_MAX } from './contract.ts';

export const SEQ_MAX = 2 ** 40;

/** By device that writes: up to which `seq`. What one device writes into a segment arrives in the order it was written. */
export type Vector = Readonly<Record<string, number>>;

/** How far one of the two has received and read what is in the other's segment of the same number. */
export interface Marks {
  received: Vector;
  read: Vector;
}

/** Where a message stands, for whoever puts a thread in order. */
export interface Placed {
  id: string;
  seq: number;
  /** ISO 8601. */
  at: string;
}

const compare = (a: string | number, b: string | number) => (a < b ? -1 : a > b ? 1 : 0);

/** The one order of a thread: who answers stands below, whatever the clocks say. */
export const inOrder = (a: Placed, b: Placed): number =>
  compare(a.seq, b.seq) || compare(Date.parse(a.at), Date.parse(b.at)) || compare(a.id, b.id);

/** The `seq` after the highest one: somebody's made-up number must not carry a thread beyond what numbers can count. */
export const seqAfter = (highest: number): number => Math.min(highest + 1, SEQ_MAX);

/** The `seq` of the next message: one more than any that its author has seen. */
export const nextSeq = (
  segments: Iterable<{ after: number; messages: Iterable<{ seq: number }> }>,
) => {
  let highest = 0;
  for (const { after, messages } of segments) {
    highest = Math.max(highest, after);
    for (const { seq } of messages) highest = Math.max(highest, seq);
  }
  return seqAfter(highest);
};

/** Whether a vector has come as far as a message. */
export const covers = (vector: Vector, { device, seq }: { device: string; seq: number }): boolean =>
  (vector[device] ?? 0) >= seq;

/** How far messages go, device by device. */
export function reachOf(messages: Iterable<{ device: string; seq: number }>): Vector {
  const reach: Record<string, number> = {};
  for (const { device, seq } of messages) reach[device] = Math.max(reach[device] ?? 0, seq);
  return reach;
}

/**
 * How far a reader has come by what they have seen, device by device: up to what they have not. What they passed over is not read
 * because something after it is; that counts too once the rest was seen.
 * @param messages all that there is to see
 * @param read how far they had come
 */
export function readUpTo<M extends { device: string; seq: number }>(
  messages: Iterable<M>,
  read: Vector,
  isSeen: (message: M) => boolean,
): Vector {
  const seen: M[] = [];
  const missed: Record<string, number> = {};
  for (const message of messages) {
    const { device, seq } = message;
    if (covers(read, message)) continue;
    if (isSeen(message)) seen.push(message);
    else missed[device] = Math.min(missed[device] ?? Infinity, seq);
  }
  const inTurn = seen.filter(({ device, seq }) => seq < (missed[device] ?? Infinity));
  return furthest(read, reachOf(inTurn));
}

/** Of `wanted`, what `have` has not reached; null when that is nothing. */
export function beyond(wanted: Vector, have: Vector): Vector | null {
  const entries = Object.entries(wanted).filter(([device, seq]) => !covers(have, { device, seq }));
  return entries.length > 0 ? Object.fromEntries(entries) : null;
}

/** The further of two vectors, device by device. */
export function furthest(one: Vector, other: Vector): Vector {
  return { ...one, ...beyond(other, one) };
}

/** Made when it is needed first: that takes a phone a tenth of a second. */
let segmenter: Intl.Segmenter | null = null;

/** The beginning of a message, for a list: one line, no half characters. */
export function previewOf(text: string): string {
  const line = text.replaceAll(/\s+/gu, ' ').trim();
  if (line.length <= PREVIEW_MAX) return line;
  segmenter ??= new Intl.Segmenter();
  const characters = Array.from(segmenter.segment(line), ({ segment }) => segment);
  if (characters.length <= PREVIEW_MAX) return line;
  return `${characters.slice(0, PREVIEW_MAX).join('').trimEnd()}…`;
}
