import { z } from 'zod';
import { readText, text, type Text } from '../text.ts';
import { splitMessageId } from './document.ts';

/** A thread in a contacts document, under the friend's id: where both's segments are. Only the api writes it. */
export interface ThreadEntry {
  /** The version of the change that made it. Older changes that arrive late are ignored. */
  version: number;
  /** Null while they are no friends, and once it is removed. */
  thread_id: Text | null;
  /** By number, 1 is the oldest. */
  segments: Record<string, { mine: Text; theirs: Text }>;
  /** Numbers of older segments, which devices do not keep open, with something in them that the owner has not read. */
  waiting?: Record<string, true>;
}

/** The threads in a contacts document. */
export interface ContactsThreads {
  /** By friend. */
  threads?: Record<string, ThreadEntry>;
  /** By id. */
  hidden_messages?: Record<string, true>;
  /** ISO 8601; not there while the owner may write. */
  restricted_until?: Text;
}

/** The maximum number of older segments to open, the newest ones, so that no device has to open years of them. */
export const WAITING_MAX = 4;

const userId = z.string().min(1).max(64);
/** An `automerge:` URL. */
const url = z.string().max(80);
const segments = z.record(z.string().regex(/^[1-9]\d{0,6}$/), z.object({ mine: url, theirs: url }));

const threadFields = z.object({
  friend_user_id: userId,
  version: z.number().int().positive(),
  thread_id: z.string().min(1).max(64).nullable(),
  segments,
});
type ThreadFields = z.output<typeof threadFields>;

/** Both's segments of one number. */
export interface SegmentPair {
  number: number;
  mine: string;
  theirs: string;
}

/** A thread as its owner's devices may use it. */
export interface Thread {
  friend_user_id: string;
  thread_id: string;
  /** Newest first, at least one. */
  segments: SegmentPair[];
  /** Numbers of older segments with something in them that the owner has not read. */
  waiting: number[];
}

/** The segments among which a message is, by its id; none where it is in none of the thread. */
export function pairOf(
  { segments }: Pick<Thread, 'segments'>,
  messageId: string,
): SegmentPair | undefined {
  const url = `automerge:${splitMessageId(messageId).documentId}`;
  return segments.find(({ mine, theirs }) => mine === url || theirs === url);
}

/**
 * Named changes of a contacts document about threads. They may arrive repeatedly, late and in any order: the highest
 * version wins.
 */
export const threadChanges = {
  'thread.set': {
    input: threadFields,
    apply(contacts: ContactsThreads, thread: ThreadFields) {
      contacts.threads ??= {};
      const { friend_user_id, version, thread_id } = thread;
      const before = contacts.threads[friend_user_id];
      if ((before?.version ?? 0) >= version) return;
      if (!before || readText(before.thread_id, 64) !== thread_id)
        contacts.threads[friend_user_id] = {
          version,
          thread_id: thread_id === null ? null : text(thread_id),
          segments: {},
        };
      // Read back, because a document contains a copy of the object that was put there.
      const here = contacts.threads[friend_user_id] as ThreadEntry;
      if (here.version !== version) here.version = version;
      for (const number of Object.keys(here.segments))
        if (!thread.segments[number]) delete here.segments[number];
      for (const [number, { mine, theirs }] of Object.entries(thread.segments)) {
        const known = here.segments[number];
        // Only new values, because a contacts document has a history.
        if (known && readText(known.mine, 80) === mine && readText(known.theirs, 80) === theirs)
          continue;
        here.segments[number] = { mine: text(mine), theirs: text(theirs) };
      }
    },
  },
  /** The older segments with unread messages: some arrived late, or the owner was away for long. */
  'thread.waiting': {
    input: z.object({
      friend_user_id: userId,
      thread_id: z.string().min(1).max(64),
      numbers: z.array(z.number().int().positive()).max(WAITING_MAX),
    }),
    apply(
      contacts: ContactsThreads,
      thread: { friend_user_id: string; thread_id: string; numbers: number[] },
    ) {
      const here = contacts.threads?.[thread.friend_user_id];
      if (!here || readText(here.thread_id, 64) !== thread.thread_id) return;
      here.waiting ??= {};
      for (const number of Object.keys(here.waiting))
        if (!thread.numbers.includes(Number(number))) delete here.waiting[number];
      for (const number of thread.numbers) if (!here.waiting[number]) here.waiting[number] = true;
    },
  },
  /** When the owner's restriction ends; null when it is over. */
  'restriction.set': {
    input: z.object({ until: z.iso.datetime().nullable() }),
    apply(contacts: ContactsThreads, { until }: { until: string | null }) {
      if (readRestriction(contacts) === until) return;
      if (until === null) delete contacts.restricted_until;
      else contacts.restricted_until = text(until);
    },
  },
  /** Messages held for review, which no one sees until then. */
  'message.hide': {
    input: z.object({ message_id: z.string().min(1).max(100), is_hidden: z.boolean() }),
    apply(contacts: ContactsThreads, message: { message_id: string; is_hidden: boolean }) {
      contacts.hidden_messages ??= {};
      const isHidden = contacts.hidden_messages[message.message_id] === true;
      if (message.is_hidden && !isHidden) contacts.hidden_messages[message.message_id] = true;
      if (!message.is_hidden && isHidden) delete contacts.hidden_messages[message.message_id];
    },
  },
  /** The friend's account is deleted. */
  'thread.remove': {
    input: z.object({ friend_user_id: userId }),
    apply(contacts: ContactsThreads, { friend_user_id }: { friend_user_id: string }) {
      if (contacts.threads?.[friend_user_id]) delete contacts.threads[friend_user_id];
    },
  },
};

/** Returns the open threads of a contacts document, without invalid ones. @param doc untrusted */
export function readThreads(doc: unknown): Thread[] {
  const { threads } = (doc ?? {}) as { threads?: unknown };
  const entries = Object.entries((threads ?? {}) as Record<string, Partial<ThreadEntry> | null>);
  return entries.flatMap(([friend_user_id, entry]) => {
    const thread_id = readText(entry?.thread_id, 64);
    const pairs = Object.entries(entry?.segments ?? {})
      .map(([number, segment]) => ({
        number: Number(number),
        mine: readText(segment?.mine, 80) ?? '',
        theirs: readText(segment?.theirs, 80) ?? '',
      }))
      .filter(({ number, mine, theirs }) => number > 0 && mine !== '' && theirs !== '')
      .toSorted((a, b) => b.number - a.number);
    if (!thread_id || pairs.length === 0) return [];
    const waiting = Object.keys(entry?.waiting ?? {})
      .map(Number)
      .filter((number) => pairs.some((pair) => pair.number === number))
      .slice(0, WAITING_MAX);
    return [{ friend_user_id, thread_id, segments: pairs, waiting }];
  });
}

/** Returns until when the owner of a contacts document may not write; null if they may. @param doc untrusted */
export function readRestriction(doc: unknown): string | null {
  const { restricted_until } = (doc ?? {}) as Partial<ContactsThreads>;
  const until = z.iso.datetime().safeParse(readText(restricted_until, 40));
  return until.success ? until.data : null;
}

/** Returns the ids of messages that are held for review. @param doc untrusted */
export function readHidden(doc: unknown): ReadonlySet<string> {
  const { hidden_messages } = (doc ?? {}) as Partial<ContactsThreads>;
  const entries = Object.entries((hidden_messages ?? {}) as Record<string, unknown>);
  return new Set(entries.filter(([, isHidden]) => isHidden === true).map(([id]) => id));
}
