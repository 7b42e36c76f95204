import { z } from 'zod';
import { charactersOf } from '../normalization/cut-text.ts';
import { MINUTE_MS } from '../time.ts';

/** How often conversations are fetched while documents aren't available. */
export const CONVERSATIONS_EVERY_MS = 30_000;
/** A device that knows of no next segment stops writing at this number of messages. The sync server accepts a few more. */
export const SEGMENT_MAX = 3_000;

export const MESSAGE_MAX = 1000;
/** A draft may be longer than a message, for its author to shorten. */
export const DRAFT_MAX = 4 * MESSAGE_MAX;
export const PAGE_SIZE = 50;
/** The maximum number of messages that a search returns. */
export const FOUND_MAX = 100;
export const PREVIEW_MAX = 60;
/** With this many messages, the API creates the next segments. A device that is offline continues in the one it knows. */
export const SEGMENT_FULL = 450;
/** How many of the newest segment numbers devices keep open: the newest may be empty while the one before still gets messages. */
export const SEGMENTS_OPEN = 2;
export const ENTRY_TEXT_MAX = 4 * 1000;

export const SEQ_MAX = 2 ** 40;
/** The longer edge of a photo in pixels: larger than any that a device sends. */
export const PHOTO_EDGE_MAX = 8_192;
/** How long an author can unsend a message, by the server's clock. */
export const UNSEND_WITHIN_MS = 60 * MINUTE_MS;
/** How long an author can edit a message. The edit may arrive later, from a device without a network, while it could be unsent. */
export const EDIT_WITHIN_MS = 15 * MINUTE_MS;
/** The text of a photo without a caption, which every version of the app can show. */
export const PHOTO_TEXT = 'Photo';

/** The text of a voice note, for the same reason. */
export const VOICE_TEXT = 'Voice note';
export const VOICE_SECONDS_MAX = 60;
/** Twice what a device records in that time; the error message says 512 KB. */
export const VOICE_BYTES_MAX = 512 * 1024 - 1;

/** What a user can answer to a friend's message with one tap. */
export const reaction = z.enum(['like', 'love', 'laugh', 'wow', 'sad', 'paw']);
export type Reaction = z.infer<typeof reaction>;

/** The highest `seq` reached, by writing device. Messages of one device arrive in the order in which it wrote them. */
export type Vector = Readonly<Record<string, number>>;

/** How far one of the two users has received and read the messages in the other's segment of the same number. */
export interface Marks {
  received: Vector;
  read: Vector;
}

/** The fields by which a thread is sorted. */
export interface Placed {
  id: string;
  seq: number;
  /** ISO 8601. */
  at: string;
}

const compare = (a: string | number, b: string | number) => (a < b ? -1 : a > b ? 1 : 0);

/** Sorts the messages of a thread: an answer comes after the message it answers, whatever the clocks say. */
export const inOrder = (a: Placed, b: Placed): number =>
  compare(a.seq, b.seq) || compare(Date.parse(a.at), Date.parse(b.at)) || compare(a.id, b.id);

/** Returns the `seq` after the highest one, at most `SEQ_MAX`, so that a made-up number can't end a thread. */
export const seqAfter = (highest: number): number => Math.min(highest + 1, SEQ_MAX);

/** Returns the `seq` of the next message: one more than any that its author has seen. */
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

/** Whether a vector includes a message. */
export const covers = (vector: Vector, { device, seq }: { device: string; seq: number }): boolean =>
  (vector[device] ?? 0) >= seq;

/** Returns the highest `seq` of the messages by device. */
export function reachOf(messages: Iterable<{ device: string; seq: number }>): Vector {
  const reach: Record<string, number> = {};
  for (const { device, seq } of messages) reach[device] = Math.max(reach[device] ?? 0, seq);
  return reach;
}

/**
 * Returns how far a reader has read, by device: up to the first message that they have not seen. Messages after it count as
 * soon as it is seen, too.
 * @param messages all messages of the other user
 * @param read how far they had read before
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

/** Returns the entries of `wanted` that `have` has not reached; null if there are none. */
export function beyond(wanted: Vector, have: Vector): Vector | null {
  const entries = Object.entries(wanted).filter(([device, seq]) => !covers(have, { device, seq }));
  return entries.length > 0 ? Object.fromEntries(entries) : null;
}

/** Returns the higher value of two vectors for each device. */
export function furthest(one: Vector, other: Vector): Vector {
  return { ...one, ...beyond(other, one) };
}

/** Returns the beginning of a text: in one line, cut between characters. @param max number of characters */
export function previewOf(text: string, max = PREVIEW_MAX): string {
  const line = text.replaceAll(/\s+/gu, ' ').trim();
  if (line.length <= max) return line;
  let preview = '';
  let count = 0;
  // A long text is only read as far as it is shown.
  for (const character of charactersOf(line)) {
    if (count++ === max) return `${preview.trimEnd()}…`;
    preview += character;
  }
  return line;
}
