import { useEffect, useMemo, useCallback, useState } from 'react';
import type { Reaction } from '#shared/chat/rules.ts';
import { PAGE_SIZE } from '#shared/chat/rules.ts';
import type { Contact } from '#shared/friends/document.ts';
import { useDocumentsValue } from '../../../platform/sync/documents/use-document.ts';
import { useShownAsDone } from '../../../platform/sync/outbox/use-outbox.ts';
import type { DocumentStatus } from '../../../platform/sync/state/document-state.ts';
import { removedFriendIds } from '../../friends/optimistic-contacts.ts';
import { useContacts, useFriendNames } from '../../friends/use-contacts.ts';
import { summariesOf } from '../conversations/conversation-cache.ts';
import {
  NOT_HERE,
  CannotSendError,
  type ThreadView,
  type ShownConversation,
  type ShownMessage,
  type MessageRange,
  type MessageReference,
  type NewExtras,
  type Quote,
} from '../types.ts';
import type { OpenThread } from './open-thread.ts';
import type { ThreadDocuments } from './thread-documents.ts';
import { THREADS } from './threads.ts';

/** Messages this close to the end are shown together with all up to the end. */
const NEAR_THE_END = 4 * PAGE_SIZE;

/** Which messages are shown: a number of them around one, or the newest (null). */
interface Place {
  around: { id: string; number: number } | null;
  before: number;
  /** Infinity: up to the end, including new ones. */
  after: number;
}

const NEWEST: Place = { around: null, before: PAGE_SIZE, after: Infinity };

/** A failed request for the messages before or after this one. */
interface Asked {
  way: 'earlier' | 'later';
  of: string | undefined;
}

const endOf = ({ messages }: MessageRange, way: Asked['way']) =>
  messages.at(way === 'earlier' ? 0 : -1)?.id;

const indexOf = ({ messages }: MessageRange, { around }: Place): number => {
  if (!around) return messages.length;
  const at = messages.findIndex(({ id }) => id === around.id);
  // It was removed: the end of the range is shown.
  return at < 0 ? messages.length : at;
};

/** @param pinnedId the message from which on all stay in the window, however many arrive */
const cut = (range: MessageRange, place: Place, pinnedId: string | null) => {
  const at = indexOf(range, place);
  const pinnedAt = range.messages.findIndex(({ id }) => id === pinnedId);
  const before = Math.max(place.before, pinnedAt < 0 ? 0 : at - pinnedAt);
  const to = Math.min(range.messages.length, at + 1 + place.after);
  return { before, from: Math.max(0, at - before), to };
};

/**
 * Places the window around a message, and up to the end where that is near.
 * @param fromEnd how many messages there are from it on; Infinity where not all are loaded
 * @param after how many to show after it where the end is not near
 */
const placeAround = (around: Place['around'], fromEnd: number, after: number): Place =>
  fromEnd <= NEAR_THE_END
    ? { ...NEWEST, before: Math.max(PAGE_SIZE, fromEnd + PAGE_SIZE / 2) }
    : { around, before: PAGE_SIZE / 2, after };

/**
 * Finds where the new messages begin.
 * @returns -1 if there are none, or they begin before what is open: the thread then opens at its end, and offers those further up
 */
export function firstNewIn({
  messages,
  unread,
  hasEarlier,
}: Pick<ThreadView, 'unread' | 'hasEarlier'> & { messages: readonly { id: string }[] }): number {
  const ids = new Set(unread);
  const at = messages.findIndex(({ id }) => ids.has(id));
  return at === 0 && hasEarlier ? -1 : at;
}

/** Which messages of a thread are on the screen, and how to move among the others. */
export interface MessageWindow {
  /** The newest messages, or those around a found one, with the pages loaded before and after them, first to last. */
  messages: readonly ShownMessage[];
  hasEarlier: boolean;
  hasLater: boolean;
  /** Where more messages could not be loaded, as without a network. */
  missing: 'earlier' | 'later' | null;
  /** Loads another page of earlier messages. Settles when it is here, or is unavailable for now. */
  loadEarlier: () => Promise<void>;
  loadLater: () => Promise<void>;
  /** Shows a message with those around it. */
  show: (messageId: string) => Promise<void>;
  /** The first message that was unread when the thread was opened. */
  firstNewId: string | null;
  /** The last message that was asked for: a new object each time. */
  found: { id: string } | null;
  toLatest: () => void;
  /** Keeps all messages from this one on in the window; null lets new ones replace them. */
  pin: (messageId: string | null) => void;
}

/**
 * Manages which messages of a thread are shown: at first from the first unread one, or the end; later those around a found one.
 * Ranges that are far apart are not joined.
 */
function useMessageWindow(
  threads: ThreadDocuments | null,
  friendUserId: string,
  thread: OpenThread | null,
  view: ThreadView,
): MessageWindow {
  const [place, setPlace] = useState(NEWEST);
  const [found, setFound] = useState<{ id: string } | null>(null);
  const [pinnedId, pin] = useState<string | null>(null);
  const [asked, setAsked] = useState<Asked | null>(null);
  const [opened, setOpened] = useState<{ firstNewId: string | null } | null>(null);
  if (!opened && (view.isReady || (view.isLookedUp && view.messages.length > 0))) {
    const at = firstNewIn(view);
    const firstNewId = view.messages[at]?.id ?? null;
    const number = firstNewId === null ? null : thread?.numberOf(firstNewId);
    setOpened({ firstNewId });
    // Starting at later messages would mark these as read although they were not seen.
    if (firstNewId !== null && number)
      setPlace(placeAround({ id: firstNewId, number }, view.messages.length - at, PAGE_SIZE));
  }
  const range = useDocumentsValue(() =>
    place.around && thread ? thread.getRange(place.around.number) : view,
  );
  const show = useCallback(
    async (id: string) => {
      const open = threads?.get(friendUserId);
      const number = open?.numberOf(id);
      if (!open || !number) return;
      await threads?.openNumber(friendUserId, number);
      const around = open.getRange(number);
      const at = around.messages.findIndex((message) => message.id === id);
      if (at < 0) return;
      const fromEnd = around.hasLater ? Infinity : around.messages.length - at;
      const next = placeAround({ id, number }, fromEnd, PAGE_SIZE / 2);
      // A window that reaches the end is only extended.
      setPlace((now) =>
        now.around || next.around ? next : { ...next, before: Math.max(now.before, next.before) },
      );
      setFound({ id });
    },
    [threads, friendUserId],
  );
  const toLatest = useCallback(() => {
    setPlace(NEWEST);
    setFound(null);
    setAsked(null);
    pin(null);
  }, []);
  const { before, from, to } = useMemo(() => cut(range, place, pinnedId), [range, place, pinnedId]);
  const messages = useMemo(() => range.messages.slice(from, to), [range.messages, from, to]);
  return useMemo(() => {
    const number = place.around?.number ?? null;
    const ask = async (way: 'earlier' | 'later') => {
      setAsked(null);
      const isHere = await threads?.openNext(friendUserId, number, way);
      if (!isHere) setAsked({ way, of: endOf(range, way) });
    };
    const isMissing = asked && asked.of === endOf(range, asked.way);
    return {
      messages,
      hasEarlier: from > 0 || range.hasEarlier,
      hasLater: to < range.messages.length || range.hasLater,
      missing: isMissing ? asked.way : null,
      firstNewId: opened?.firstNewId ?? null,
      found,
      show,
      toLatest,
      pin,
      loadEarlier: async () => {
        setPlace({ ...place, before: before + PAGE_SIZE });
        if (from < PAGE_SIZE && range.hasEarlier) await ask('earlier');
      },
      loadLater: async () => {
        const isLeft = range.messages.length - to >= PAGE_SIZE;
        if (!isLeft && range.hasLater) await ask('later');
        const isAll = !isLeft && !range.hasLater;
        setPlace({ ...place, after: isAll ? Infinity : place.after + PAGE_SIZE });
      },
    };
  }, [
    threads,
    friendUserId,
    range,
    place,
    before,
    from,
    to,
    messages,
    opened,
    found,
    show,
    toLatest,
    asked,
  ]);
}

const NONE: readonly ShownConversation[] = [];

export interface Conversations {
  /** 'loading' only while no conversation is cached. */
  status: DocumentStatus;
  /** Those with messages, the last active first. */
  conversations: readonly ShownConversation[];
}

/** Returns the conversations with friends, also after a cold start, without users who were just blocked or removed. */
export function useConversations(): Conversations {
  const { status } = useContacts();
  const names = useFriendNames();
  const done = useShownAsDone();
  const all = useDocumentsValue((documents) => (documents ? summariesOf(documents).get() : NONE));
  return useMemo(() => {
    if (status !== 'ready') {
      const parted = removedFriendIds(done);
      const conversations = all.filter(({ friend_user_id }) => !parted.has(friend_user_id));
      return { status: conversations.length > 0 ? 'ready' : status, conversations };
    }
    return {
      status,
      conversations: all
        .filter(({ friend_user_id }) => names.has(friend_user_id))
        .map((each) => ({ ...each, name: names.get(each.friend_user_id) ?? each.name })),
    };
  }, [status, names, done, all]);
}

/** Returns the number of unread messages from all friends. */
export function useUnreadMessages(): number {
  const { conversations } = useConversations();
  return conversations.reduce((sum, { unread_count }) => sum + unread_count, 0);
}

export interface OwnThread extends MessageWindow {
  /** 'unavailable' when the two are not friends, or the thread has never been on this device. */
  status: DocumentStatus;
  friend: Contact | null;
  /** The newest messages, independent of the window. */
  newest: readonly ShownMessage[];
  /** Whether the newest segments are here, or what they replace is still shown. */
  isWhole: boolean;
  /** Ids of the friend's unread messages. */
  unread: readonly string[];
  /** Whether a loaded message comes before another one. */
  isBefore: (id: string, other: string) => boolean;
  /** Whether the user may not write for now. */
  isFrozen: boolean;
  friendIsOnline: boolean;
  friendIsTyping: boolean;
  /**
   * Writes a message on this device.
   * @returns where it is
   * @throws ZodError when it does not fit, CannotSendError when the user may not write
   */
  send: (text: string, extras?: NewExtras) => MessageReference;
  /** Sets or, with null, removes the reaction to a message of the friend. @throws CannotSendError */
  react: (messageId: string, reaction: Reaction | null) => void;
  /** Returns a reference to a message, for an answer. */
  referenceTo: (
    message: Pick<ShownMessage, 'id' | 'isOwn' | 'firstKey'>,
  ) => MessageReference | null;
  /** Finds the message that another one answers. */
  find: (reference: MessageReference) => Quote;
  /** Marks messages as read. */
  markRead: (messages: readonly { id: string }[]) => void;
  /** Reports to the friend that the user types, or has stopped. */
  setTyping: (isOn: boolean) => void;
}

const NOTHING: ThreadView = {
  messages: [],
  unread: [],
  hasEarlier: false,
  hasLater: false,
  isReady: false,
  isLookedUp: false,
  isFrozen: false,
  friendIsOnline: false,
  friendIsTyping: false,
};

/** Returns the thread with a friend, also offline after a cold start. Decision 120. */
export function useThread(friendUserId: string): OwnThread {
  const { status: contactsStatus, contacts } = useContacts();
  const friend = contacts.friends.find(({ user_id }) => user_id === friendUserId) ?? null;
  const isFriend = friend !== null;
  const threads = useDocumentsValue((documents) => documents?.part(THREADS) ?? null);
  const threadOf = () => (isFriend ? (threads?.peek(friendUserId) ?? null) : null);
  const thread = useDocumentsValue(threadOf);
  const view = useDocumentsValue(() => threadOf()?.getView() ?? NOTHING);
  // Repeated, because the thread may have been closed, or its contacts document has just arrived.
  useEffect(() => {
    if (!thread) threads?.get(friendUserId);
  });
  useEffect(() => thread?.presence.watch(), [thread]);
  const moving = useMessageWindow(threads, friendUserId, thread, view);
  const { messages } = moving;
  return useMemo(() => {
    const here = () => {
      if (!thread) throw new CannotSendError(NOT_HERE);
      return thread;
    };
    return {
      ...moving,
      status: statusOf(contactsStatus, isFriend, view, messages.length > 0),
      friend,
      newest: view.messages,
      isWhole: view.isReady,
      unread: view.unread,
      isBefore: (id, other) => thread?.isBefore(id, other) ?? false,
      isFrozen: view.isFrozen,
      friendIsOnline: view.friendIsOnline,
      friendIsTyping: view.friendIsTyping,
      send: (text, extras) => {
        const sent = here().send(text, extras);
        // Show the new message when an older range is on the screen.
        if (moving.hasLater) moving.toLatest();
        return sent;
      },
      react: (id, reaction) => here().react(id, reaction),
      referenceTo: (message) => thread?.referenceTo(message) ?? null,
      find: (reference) => thread?.find(reference) ?? { id: null, message: null },
      markRead: (seen) => thread?.markRead(seen),
      setTyping: (isOn) => thread?.presence.type(isOn),
    };
  }, [thread, view, moving, messages, contactsStatus, friend, isFriend]);
}

function statusOf(
  contacts: DocumentStatus,
  isFriend: boolean,
  { isReady, isLookedUp }: ThreadView,
  hasMessages: boolean,
): DocumentStatus {
  if (contacts !== 'ready') return contacts;
  if (!isFriend) return 'unavailable';
  // The list starts at the first unread message, which is unknown while segments are loading.
  return isReady || (isLookedUp && hasMessages) ? 'ready' : 'loading';
}
