import { z } from 'zod';
import { readText, text, type Text } from '../text.ts';
import { messageText } from './contract.ts';
import { SEQ_MAX, type Marks, type Vector } from './rules.ts';

/** With this many messages, the API creates the next segments. A device that is offline continues in the one it knows. */
export const SEGMENT_FULL = 450;
/** How many of the newest segment numbers devices keep open: the newest may be empty while the one before still gets messages. */
export const SEGMENTS_OPEN = 2;
/** A device that knows of no next segment stops writing at this number of messages. The sync server accepts a few more. */
export const SEGMENT_MAX = 3_000;

/**
 * One author's messages to one friend, and how far the author has received and read the friend's segment of the same number.
 * The author's devices write it, and both users read it. The API creates segments in pairs.
 */
export interface SegmentDocument {
  kind: Text;
  user_id: Text;
  friend_user_id: Text;
  thread_id: Text;
  /** 1 is the oldest. */
  number: number;
  /** The highest `seq` of the earlier segments. */
  after: number;
  messages: Record<string, MessageEntry>;
  received: Record<string, number>;
  read: Record<string, number>;
}

/** A message, by its key. It never changes. */
interface MessageEntry {
  /** One more than the highest one that its author had seen: the order of the thread, whatever the clocks say. */
  seq: number;
  /** Identifies one start of the app on a device, which wrote it. */
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

/** A validated segment. The caller knows its author from its place. */
export interface Segment extends Marks {
  number: number;
  after: number;
  /** Unsorted. */
  messages: SegmentMessage[];
}

const seq = z.number().int().min(1).max(SEQ_MAX);
/** Whether a map may have an entry of this name. Names such as `constructor`, which every object has, are refused. */
const isName = (name: string, max: number): boolean =>
  name.length <= max && /^[\w-]+$/.test(name) && !(name in Object.prototype);
const isKey = (name: string): boolean => isName(name, 32);
const isDevice = (name: string): boolean => isName(name, 16);
const device = z.string().refine(isDevice);
const vector = z.record(device, seq);
const at = z.iso.datetime();

/** Returns the id of a message outside its segment. @param document an id or `automerge:` URL of a segment */
export const messageId = (document: string, key: string): string =>
  `${document.replace('automerge:', '')}.${key}`;

/** Splits an id from `messageId` into the segment's id and the message's key. */
export function splitMessageId(id: string): { documentId: string; key: string } {
  const at = id.indexOf('.');
  return { documentId: id.slice(0, at), key: id.slice(at + 1) };
}

/** Creates an empty segment. @param place chosen by the API; only segments have one */
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
  /** @param input.seq `nextSeq` of the known messages of the thread */
  'message.add': { input: added, apply: add },
  /** The remaining messages of a segment that is rewritten because a message was removed. */
  'messages.restore': {
    input: z.object({ messages: z.array(added) }),
    apply(segment: SegmentDocument, { messages }: { messages: SegmentMessage[] }) {
      for (const message of messages) add(segment, message);
    },
  },
  /** Marks only move forward. */
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
 * Reads a message of a segment. An unchanged entry is read only once.
 * @param entry untrusted
 * @returns null if it is invalid
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

/** Reads a vector without its invalid entries. @param value untrusted */
export function readVector(value: unknown): Vector {
  const entries = Object.entries((value ?? {}) as Record<string, unknown>);
  return Object.fromEntries(
    entries.filter(
      (entry): entry is [string, number] => isDevice(entry[0]) && seq.safeParse(entry[1]).success,
    ),
  );
}

/** Reads a segment without its invalid parts. @param doc an Automerge document or its plain value; untrusted */
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
