import { z } from 'zod';
import { readText, text, type Text } from '../text.ts';
import { messageText } from './contract.ts';
import {
  PHOTO_EDGE_MAX,
  reaction,
  SEQ_MAX,
  type Marks,
  type Reaction,
  type Vector,
  ENTRY_TEXT_MAX,
  VOICE_SECONDS_MAX,
} from './rules.ts';

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
  /**
   * The keys of messages that were removed from it: a device that missed the removal must not add them again. Only the server
   * writes it, when it writes the segment again.
   */
  removed?: Record<string, boolean>;
  /**
   * The author's reaction to the friend's message with this key in the friend's segment of the same number. Not in a map: two
   * devices that are offline would each create one, and lose one of them (decision 120).
   */
  [reaction: `reaction.${string}`]: Text;
}

/** A message, by its key. Only the key of its photo or recording is added later. */
interface MessageEntry {
  /** One more than the highest one that its author had seen: the order of the thread, whatever the clocks say. */
  seq: number;
  /** Identifies one start of the app on a device, which wrote it. */
  device: Text;
  /** ISO 8601, by the author's clock. */
  at: Text;
  text: Text;
  /** The message that it answers: in whose segment of which number. */
  reply_to?: { number: number; is_own: boolean; key: Text };
  /** `image_key` is null until the photo is on the server. */
  photo?: { width: number; height: number; image_key: Text | null };
  /** `sound_key` is null until the recording is on the server. */
  voice?: { seconds: number; sound_key: Text | null };
  /** The id of a place; its name is the text. */
  place_id?: Text;
  /** It was edited: the keys of the version before and of the first one, which are removed (decision 130). */
  edited?: { from: Text; first: Text };
}

/** A segment's place, which its author cannot change. */
export const segmentPlace = z.object({
  thread_id: z.string().min(1).max(64),
  number: z.number().int().min(1).max(1_000_000),
  friend_user_id: z.string().min(1).max(64),
  after: z.number().int().min(0),
});
export type SegmentPlace = z.infer<typeof segmentPlace>;

/** The message that another one answers. `is_own`: written by the author of the answer, too. */
export interface ReplyTo {
  number: number;
  is_own: boolean;
  key: string;
}

/** A photo in a message, with its size in pixels. `image_key` is null until it is on the server. */
export interface MessagePhoto {
  width: number;
  height: number;
  image_key: string | null;
}

/** A voice note, with its length. `sound_key` is null until it is on the server. */
export interface MessageVoice {
  seconds: number;
  sound_key: string | null;
}

/** Which message this one replaces, by its key: the version before, and the first one, which reactions and answers refer to. */
export interface Edited {
  from: string;
  first: string;
}

export interface SegmentMessage {
  key: string;
  seq: number;
  device: string;
  at: string;
  text: string;
  reply_to?: ReplyTo | undefined;
  photo?: MessagePhoto | undefined;
  voice?: MessageVoice | undefined;
  place_id?: string | undefined;
  edited?: Edited | undefined;
}

/** A validated segment. The caller knows its author from its place. */
export interface Segment extends Marks {
  number: number;
  after: number;
  /** Unsorted. */
  messages: SegmentMessage[];
  /** Keys of removed messages. */
  removed: ReadonlySet<string>;
  /** By the key of the friend's message. */
  reactions: Readonly<Record<string, Reaction>>;
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

const key = z.string().refine(isKey);
const number = z.number().int().min(1).max(1_000_000);
const fileKey = z.string().regex(/^[\w-]{1,100}$/);
const pixels = z.number().int().min(1).max(PHOTO_EDGE_MAX);
const photoFields = z.object({
  width: pixels,
  height: pixels,
  image_key: fileKey.nullable().default(null),
});
const voiceFields = z.object({
  seconds: z.number().int().min(1).max(VOICE_SECONDS_MAX),
  sound_key: fileKey.nullable().default(null),
});
const replyFields = z.object({ number, is_own: z.boolean(), key });
const editedFields = z.object({ from: key, first: key });
const placeId = z.string().regex(/^[\w-]{1,64}$/);

const added = z.object({
  key,
  seq,
  device,
  at,
  text: messageText,
  reply_to: replyFields.optional(),
  photo: photoFields.optional(),
  voice: voiceFields.optional(),
  place_id: placeId.optional(),
  edited: editedFields.optional(),
});

function add(segment: SegmentDocument, { key: name, ...entry }: SegmentMessage): void {
  if (segment.messages[name] || segment.removed?.[name] === true) return;
  const { reply_to, photo, voice, place_id, edited } = entry;
  segment.messages[name] = {
    seq: entry.seq,
    device: text(entry.device),
    at: text(entry.at),
    text: text(entry.text),
    ...(reply_to && { reply_to: { ...reply_to, key: text(reply_to.key) } }),
    ...(photo && {
      photo: { ...photo, image_key: photo.image_key === null ? null : text(photo.image_key) },
    }),
    ...(voice && {
      voice: { ...voice, sound_key: voice.sound_key === null ? null : text(voice.sound_key) },
    }),
    ...(place_id !== undefined && { place_id: text(place_id) }),
    ...(edited && {
      edited: { from: text(edited.from), first: text(edited.first) },
    }),
  };
}

const REACTION = 'reaction.';
/** Where a segment has the reaction to a message of the friend. */
const reactionField = (name: string) => `${REACTION}${name}` as const;
/** The key of the message that a field of a segment is a reaction to; null for other fields. */
export const reactionKey = (field: string): string | null =>
  field.startsWith(REACTION) ? field.slice(REACTION.length) : null;

const reacted = z.object({ key, reaction: reaction.nullable() });

function react(
  segment: SegmentDocument,
  { key: name, reaction: next }: z.output<typeof reacted>,
): void {
  const field = reactionField(name);
  if (readText(segment[field], 20) === next) return;
  if (next !== null) segment[field] = text(next);
  else if (field in segment) delete segment[field];
}

/** Named changes of a segment. */
export const segmentChanges = {
  /** @param input.seq `nextSeq` of the known messages of the thread */
  'message.add': { input: added, apply: add },
  /** The server has the photo of a message. */
  'message.photo': {
    input: z.object({ key, image_key: fileKey }),
    apply(segment: SegmentDocument, { key: name, image_key }: { key: string; image_key: string }) {
      const photo = segment.messages[name]?.photo;
      if (photo && readText(photo.image_key, 100) !== image_key) photo.image_key = text(image_key);
    },
  },
  /** The server has the recording of a voice note. */
  'message.voice': {
    input: z.object({ key, sound_key: fileKey }),
    apply(segment: SegmentDocument, { key: name, sound_key }: { key: string; sound_key: string }) {
      const voice = segment.messages[name]?.voice;
      if (voice && readText(voice.sound_key, 100) !== sound_key) voice.sound_key = text(sound_key);
    },
  },
  /** Sets or, with null, removes the author's reaction to a message of the friend. */
  'reaction.set': { input: reacted, apply: react },
  /** The reactions in a segment that is written again. */
  'reactions.restore': {
    input: z.object({ reactions: z.record(key, reaction) }),
    apply(segment: SegmentDocument, { reactions }: { reactions: Record<string, Reaction> }) {
      for (const [name, each] of Object.entries(reactions))
        react(segment, { key: name, reaction: each });
    },
  },
  /** The remaining messages of a segment that is rewritten because a message was removed. */
  'messages.restore': {
    input: z.object({ messages: z.array(added) }),
    apply(segment: SegmentDocument, { messages }: { messages: SegmentMessage[] }) {
      for (const message of messages) add(segment, message);
    },
  },
  /** Messages that are left out of a segment that is written again. */
  'messages.remove': {
    input: z.object({ keys: z.array(key) }),
    apply(segment: SegmentDocument, { keys }: { keys: string[] }) {
      segment.removed ??= {};
      for (const name of keys) if (segment.removed[name] !== true) segment.removed[name] = true;
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
    ...readExtras(entry),
  };
}

/** What a message has besides its text; what does not fit is left out, and the text stays. */
function readExtras({
  reply_to,
  photo,
  voice,
  place_id,
  edited,
}: Partial<MessageEntry>): Omit<SegmentMessage, 'key' | 'seq' | 'device' | 'at' | 'text'> {
  // Most messages have none of these.
  const valid = <T>(given: unknown, parse: () => { data?: T }): T | undefined =>
    given === undefined || given === null ? undefined : parse().data;
  const edit = valid(edited, () =>
    editedFields.safeParse({
      from: readText(edited?.from, 32),
      first: readText(edited?.first, 32),
    }),
  );
  const reply = valid(reply_to, () =>
    replyFields.safeParse({ ...reply_to, key: readText(reply_to?.key, 32) }),
  );
  const picture = valid(photo, () =>
    photoFields.safeParse({ ...photo, image_key: readText(photo?.image_key, 100) }),
  );
  const note = valid(voice, () =>
    voiceFields.safeParse({ ...voice, sound_key: readText(voice?.sound_key, 100) }),
  );
  const place = valid(place_id, () => placeId.safeParse(readText(place_id, 64)));
  return {
    ...(edit && { edited: edit }),
    ...(reply && { reply_to: reply }),
    ...(picture && { photo: picture }),
    ...(note && { voice: note }),
    ...(place && { place_id: place }),
  };
}

/** @param doc untrusted */
function readReactions(doc: object): Record<string, Reaction> {
  return Object.fromEntries(
    Object.entries(doc).flatMap(([field, value]) => {
      const name = reactionKey(field);
      const read = name !== null && isKey(name) && reaction.safeParse(readText(value, 20));
      return read && read.success ? [[name, read.data]] : [];
    }),
  );
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

/** @param value untrusted */
function readRemoved(value: unknown): ReadonlySet<string> {
  const entries = Object.entries((value ?? {}) as Record<string, unknown>);
  return new Set(entries.filter(([, isRemoved]) => isRemoved === true).map(([name]) => name));
}

/** Reads a segment without its invalid parts. @param doc an Automerge document or its plain value; untrusted */
export function readSegment(doc: unknown): Segment {
  const raw = (doc ?? {}) as Partial<SegmentDocument>;
  const removed = readRemoved(raw.removed);
  const whole = (value: unknown) =>
    typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : 0;
  return {
    number: whole(raw.number),
    after: Math.min(whole(raw.after), SEQ_MAX),
    messages: Object.entries(raw.messages ?? {})
      .filter(([name]) => !removed.has(name))
      .map(([key, entry]) => readMessage(key, entry))
      .filter((message) => message !== null),
    removed,
    received: readVector(raw.received),
    read: readVector(raw.read),
    reactions: readReactions(raw),
  };
}

/** Returns the messages without those that an edited one replaces and that are about to be removed. */
export function withoutReplaced<M extends Pick<SegmentMessage, 'key' | 'edited'>>(
  messages: readonly M[],
): readonly M[] {
  const replaced = new Set(messages.flatMap(({ edited }) => (edited ? [edited.from] : [])));
  return replaced.size === 0 ? messages : messages.filter(({ key: name }) => !replaced.has(name));
}
