import { z } from 'zod';
import { readText, text, type Text } from '../text.ts';
import { messageText } from './contract.ts';
import { SEQ_MAX, type Marks, type Vector } from './rules.ts';

/** From here on the api has a next segment made for both; a device that is offline goes on in the one it knows. */
export const SEGMENT_FULL = 450;
/** Devices keep the segments of so many numbers open: the very newest may be empty, and the one before still gets messages. */
export const SEGMENTS_OPEN = 2;
/** A device that has heard of no next segment for this long writes no more. The sync server takes somewhat more. */
export const SEGMENT_MAX = 3_000;

/**
 * One author's messages to one friend, and how far that author has received and read what is in the friend's segment of the
 * same number. Written by the author's devices, read by both; the api makes segments, always two at a time.
 */
export interface SegmentDocument {
  kind: Text;
  user_id: Text;
  friend_user_id: Text;
  thread_id: Text;
  /** 1 is the oldest. */
  number: number;
  /** The highest `seq` of the segments before. */
  after: number;
  messages: Record<string, MessageEntry>;
  received: Record<string, number>;
  read: Record<string, number>;
}

/** A message, under its key. It is never changed. */
interface MessageEntry {
  /** One more than the highest that its author had seen of either's: the order of the thread, whatever the clocks say. */
  seq: number;
  /** What wrote it, one after the other: one start of the app on a device. */
  device: Text;
  /** ISO 8601, by the author's clock. */
  at: Text;
  text: Text;
}

/** A segment's place, which its author cannot change. */
export const segmentPlace = z.object({
  thread_id: z.string().min(1).max(64),
  number: z.number().int().min(1).max(1_000_000),
  friend_user_id: z.string().min(1).max(64),
  after: z.number().int().min(0),
});
export type SegmentPlace = z.infer<typeof segmentPlace>;

export interface SegmentMessage {
  key: string;
  seq: number;
  device: string;
  at: string;
  text: string;
}

/** A segment as every reader may trust it. Whose it is, is known from where it was found. */
export interface Segment extends Marks {
  number: number;
  after: number;
  /** In no order. */
  messages: SegmentMessage[];
}

const seq = z.number().int().min(1).max(SEQ_MAX);
/** What a map may call an entry; `constructor` and the like, which every object has by itself, no honest device is called. */
const isName = (name: string, max: number): boolean =>
  name.length <= max && /^[\w-]+$/.test(name) && !(name in Object.prototype);
const isKey = (name: string): boolean => isName(name, 32);
const isDevice = (name: string): boolean => isName(name, 16);
const device = z.string().refine(isDevice);
const vector = z.record(device, seq);
const at = z.iso.datetime();

/** What a message is called everywhere outside of its segment. @param document an id or `automerge:` URL of a segment */
export const messageId = (document: string, key: string): string =>
  `${document.replace('automerge:', '')}.${key}`;

/** The segment that a message is in, by its id, and its key there: an id from `messageId`, taken apart. */
export function splitMessageId(id: string): { documentId: string; key: string } {
  const at = id.indexOf('.');
  return { documentId: id.slice(0, at), key: id.slice(at + 1) };
}

/** @param place where the api has it made; only segments have one */
export function initialSegment(
  userId: string,
  _createdAt: string,
  place: SegmentPlace | undefined,
): SegmentDocument {
  if (!place) throw new Error('a segment needs a place');
  return {
    kind: text('segment'),
    user_id: text(userId),
    friend_user_id: text(place.friend_user_id),
    thread_id: text(place.thread_id),
    number: place.number,
    after: place.after,
    messages: {},
    received: {},
    read: {},
  };
}

const added = z.object({
  key: z.string().refine(isKey),
  seq,
  device,
  at,
  text: messageText,
});

function add(segment: SegmentDocument, { key, ...entry }: SegmentMessage): void {
  if (segment.messages[key]) return;
  segment.messages[key] = {
    seq: entry.seq,
    device: text(entry.device),
    at: text(entry.at),
    text: text(entry.text),
  };
}

/** Named changes of a segment. */
export const segmentChanges = {
  /** @param input.seq `nextSeq` of what is known of the thread */
  'message.add': { input: added, apply: add },
  /** What is left of a segment that is written again, because something in it was taken away. */
  'messages.restore': {
    input: z.object({ messages: z.array(added) }),
    apply(segment: SegmentDocument, { messages }: { messages: SegmentMessage[] }) {
      for (const message of messages) add(segment, message);
    },
  },
  /** What has been received and read goes forward only. */
  'marks.set': {
    input: z.object({ received: vector.default({}), read: vector.default({}) }),
    apply(segment: SegmentDocument, marks: Marks) {
      for (const name of ['received', 'read'] as const)
        for (const [device, reached] of Object.entries(marks[name]))
          if ((segment[name][device] ?? 0) < reached) segment[name][device] = reached;
    },
  },
};

const ENTRY_TEXT_MAX = 4 * 1000;
const read = new WeakMap<object, { key: string; message: SegmentMessage | null }>();

/**
 * One message of a segment; null where that is none. An entry that did not change is not read twice.
 * @param entry untrusted
 */
export function readMessage(key: string, entry: unknown): SegmentMessage | null {
  if (typeof entry !== 'object' || entry === null) return null;
  const known = read.get(entry);
  if (known?.key === key) return known.message;
  const message = parseMessage(key, entry);
  read.set(entry, { key, message });
  return message;
}

function parseMessage(key: string, entry: Partial<MessageEntry>): SegmentMessage | null {
  if (!isKey(key) || !seq.safeParse(entry.seq).success) return null;
  const writtenBy = readText(entry.device, 16);
  const writtenAt = at.safeParse(readText(entry.at, 40));
  const words = messageText.safeParse(readText(entry.text, ENTRY_TEXT_MAX));
  if (!writtenBy || !isDevice(writtenBy) || !writtenAt.success || !words.success) return null;
  return {
    key,
    seq: entry.seq as number,
    device: writtenBy,
    at: writtenAt.data,
    text: words.data,
  };
}

/** @param value untrusted */
export function readVector(value: unknown): Vector {
  const entries = Object.entries((value ?? {}) as Record<string, unknown>);
  return Object.fromEntries(
    entries.filter(
      (entry): entry is [string, number] => isDevice(entry[0]) && seq.safeParse(entry[1]).success,
    ),
  );
}

/** What does not fit is left out. @param doc an Automerge document, or what came out of one; untrusted */
export function readSegment(doc: unknown): Segment {
  const raw = (doc ?? {}) as Partial<SegmentDocument>;
  const whole = (value: unknown) =>
    typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : 0;
  return {
    number: whole(raw.number),
    after: Math.min(whole(raw.after), SEQ_MAX),
    messages: Object.entries(raw.messages ?? {})
      .map(([key, entry]) => readMessage(key, entry))
      .filter((message) => message !== null),
    received: readVector(raw.received),
    read: readVector(raw.read),
  };
}
