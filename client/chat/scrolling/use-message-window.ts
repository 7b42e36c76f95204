import { useCallback, useMemo, useState, useSyncExternalStore } from 'react';
import { PAGE_SIZE } from '#shared/chat/contract.ts';
import { useDocuments } from '../../sync/documents/use-document.ts';
import type { OpenThread } from '../thread/open-thread.ts';
import type { ShownMessage, MessageRange, ThreadView } from '../types.ts';
import type { ThreadDocuments } from '../thread/thread-store.ts';

/** Messages this close to the end are shown together with all up to the end. */
const NEAR_THE_END = 4 * PAGE_SIZE;
const neverChanges = () => () => {};

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
export function useMessageWindow(
  threads: ThreadDocuments | null,
  friendUserId: string,
  thread: OpenThread | null,
  view: ThreadView,
): MessageWindow {
  const documents = useDocuments();
  const [place, setPlace] = useState(NEWEST);
  const [found, setFound] = useState<{ id: string } | null>(null);
  const [pinnedId, pin] = useState<string | null>(null);
  const [asked, setAsked] = useState<Asked | null>(null);
  const [opened, setOpened] = useState<{ firstNewId: string | null } | null>(null);
  if (!opened && (view.isReady || (view.isLookedUp && view.messages.length > 0))) {
    const unread = new Set(view.unread);
    const at = view.messages.findIndex(({ id }) => unread.has(id));
    const firstNewId = view.messages[at]?.id ?? null;
    const number = firstNewId === null ? null : thread?.numberOf(firstNewId);
    setOpened({ firstNewId });
    // Starting at later messages would mark these as read although they were not seen.
    if (firstNewId !== null && number)
      setPlace(placeAround({ id: firstNewId, number }, view.messages.length - at, PAGE_SIZE));
  }
  const range = useSyncExternalStore(documents?.subscribe ?? neverChanges, () =>
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
