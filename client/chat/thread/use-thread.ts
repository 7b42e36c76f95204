import { useEffect, useMemo, useSyncExternalStore } from 'react';
import type { Contact } from '#shared/friends/document.ts';
import { removedFriendIds } from '../../friends/optimistic-contacts.ts';
import { useContacts, useFriendNames } from '../../friends/use-contacts.ts';
import type { DocumentStatus } from '../../sync/documents/document-state.ts';
import { useDocuments } from '../../sync/documents/use-document.ts';
import { useShownAsDone } from '../../sync/outbox/use-outbox.ts';
import {
  NOT_HERE,
  CannotSendError,
  type ThreadView,
  type ShownConversation,
  type ShownMessage,
} from '../types.ts';
import { useMessageWindow, type MessageWindow } from '../scrolling/use-message-window.ts';

const NONE: readonly ShownConversation[] = [];
const neverChanges = () => () => {};

export interface Conversations {
  /** 'loading' only while no conversation is cached. */
  status: DocumentStatus;
  /** Those with messages, the last active first. */
  conversations: readonly ShownConversation[];
}

/** Returns the conversations with friends, also after a cold start, without users who were just blocked or removed. */
export function useConversations(): Conversations {
  const documents = useDocuments();
  const { status } = useContacts();
  const names = useFriendNames();
  const done = useShownAsDone();
  const all = useSyncExternalStore(
    documents?.subscribe ?? neverChanges,
    () => documents?.conversations.get() ?? NONE,
  );
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
  /** Whether the newest segments are here. */
  isWhole: boolean;
  /** Ids of the friend's unread messages. */
  unread: readonly string[];
  /** Whether a loaded message comes before another one. */
  isBefore: (id: string, other: string) => boolean;
  /** Whether the user may not write for now. */
  isFrozen: boolean;
  friendIsOnline: boolean;
  friendIsTyping: boolean;
  /** Writes a message on this device. @throws ZodError when it does not fit, CannotSendError when the user may not write */
  send: (text: string) => void;
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

/** Returns the thread with a friend, also offline after a cold start. */
export function useThread(friendUserId: string): OwnThread {
  const documents = useDocuments();
  const { status: contactsStatus, contacts } = useContacts();
  const friend = contacts.friends.find(({ user_id }) => user_id === friendUserId) ?? null;
  const isFriend = friend !== null;
  const subscribe = documents?.subscribe ?? neverChanges;
  const threadOf = () => (isFriend ? (documents?.threads?.peek(friendUserId) ?? null) : null);
  const thread = useSyncExternalStore(subscribe, threadOf);
  const view = useSyncExternalStore(subscribe, () => threadOf()?.getView() ?? NOTHING);
  const threads = useSyncExternalStore(subscribe, () => documents?.threads ?? null);
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
      send: (text) => {
        here().send(text);
        // Show the new message when an older range is on the screen.
        if (moving.hasLater) moving.toLatest();
      },
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
