import { useCallback, useMemo, useState, useSyncExternalStore } from 'react';
import { PAGE_SIZE } from '#shared/chat/contract.ts';
import { useDocuments } from '../../sync/documents/use-document.ts';
import type { OpenThread } from '../thread/open-thread.ts';
import type { ShownMessage, MessageRange, ThreadView } from '../types.ts';
import type { ThreadDocuments } from '../thread/thread-store.ts';

/** What is not further from the end is shown together with all up to the end. */
const NEAR_THE_END = 4 * PAGE_SIZE;
const neverChanges = () => () => {};

/** Which messages of a thread are shown: so many around one; of null, the newest. */
interface Place {
  around: { id: string; number: number } | null;
  before: number;
  /** Infinity: up to the end, whatever comes. */
  after: number;
}

const NEWEST: Place = { around: null, before: PAGE_SIZE, after: Infinity };

/** What could not be had: what comes before, or after, this message. */
interface Asked {
  way: 'earlier' | 'later';
  of: string | undefined;
}

const endOf = ({ messages }: MessageRange, way: Asked['way']) =>
  messages.at(way === 'earlier' ? 0 : -1)?.id;

const indexOf = ({ messages }: MessageRange, { around }: Place): number => {
  if (!around) return messages.length;
  const at = messages.findIndex(({ id }) => id === around.id);
  // It was taken away: what is left is shown from its end.
  return at < 0 ? messages.length : at;
};

/** @param heldId what is shown from this message on stays, however much comes after it */
const cut = (stretch: MessageRange, place: Place, heldId: string | null) => {
  const at = indexOf(stretch, place);
  const held = stretch.messages.findIndex(({ id }) => id === heldId);
  const before = Math.max(place.before, held < 0 ? 0 : at - held);
  const to = Math.min(stretch.messages.length, at + 1 + place.after);
  return { before, from: Math.max(0, at - before), to };
};

/**
 * A message and what is around it, together with all up to the end where that is near.
 * @param fromEnd how many come from it on; Infinity where not all of them are here
 * @param after how many to show after it where the end is not near
 */
const placeAround = (around: Place['around'], fromEnd: number, after: number): Place =>
  fromEnd <= NEAR_THE_END
    ? { ...NEWEST, before: Math.max(PAGE_SIZE, fromEnd + PAGE_SIZE / 2) }
    : { around, before: PAGE_SIZE / 2, after };

/** Which messages of a thread are on the screen, and how to move among the others. */
export interface MessageWindow {
  /** The newest ones, or those around what was looked for, and what was asked for before and after them, first to last. */
  messages: readonly ShownMessage[];
  hasEarlier: boolean;
  hasLater: boolean;
  /** Where more of them were asked for and could not be had, as without a network. */
  missing: 'earlier' | 'later' | null;
  /** Another page of earlier messages. Settles when it is there, or is known not to be for now. */
  loadEarlier: () => Promise<void>;
  loadLater: () => Promise<void>;
  /** Shows a message, wherever it is, and what is around it. */
  show: (messageId: string) => Promise<void>;
  /** The first of those at the end that had not been read when the thread was opened. */
  firstNewId: string | null;
  /** The message that was asked for last, another object each time. */
  found: { id: string } | null;
  toLatest: () => void;
  /** What is shown from a message on stays, whatever comes; of null, what comes takes its place. */
  hold: (messageId: string | null) => void;
}

/**
 * What is shown of a thread: at first from where it has not been read, or its end; then what is around a message that was
 * looked for. What is far apart is not joined.
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
  const [heldId, hold] = useState<string | null>(null);
  const [asked, setAsked] = useState<Asked | null>(null);
  const [opened, setOpened] = useState<{ firstNewId: string | null } | null>(null);
  if (!opened && (view.isReady || (view.isLookedUp && view.messages.length > 0))) {
    const unread = new Set(view.unread);
    const at = view.messages.findIndex(({ id }) => unread.has(id));
    const firstNewId = view.messages[at]?.id ?? null;
    const number = firstNewId === null ? null : thread?.numberOf(firstNewId);
    setOpened({ firstNewId });
    // Whoever reads on from later messages would have read these unseen.
    if (firstNewId !== null && number)
      setPlace(placeAround({ id: firstNewId, number }, view.messages.length - at, PAGE_SIZE));
  }
  const stretch = useSyncExternalStore(documents?.subscribe ?? neverChanges, () =>
    place.around && thread ? thread.getStretch(place.around.number) : view,
  );
  const show = useCallback(
    async (id: string) => {
      const open = threads?.get(friendUserId);
      const number = open?.numberOf(id);
      if (!open || !number) return;
      await threads?.openNumber(friendUserId, number);
      const around = open.getStretch(number);
      const at = around.messages.findIndex((message) => message.id === id);
      if (at < 0) return;
      const fromEnd = around.hasLater ? Infinity : around.messages.length - at;
      const next = placeAround({ id, number }, fromEnd, PAGE_SIZE / 2);
      // What is shown up to the end goes on being shown.
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
    hold(null);
  }, []);
  const { before, from, to } = useMemo(() => cut(stretch, place, heldId), [stretch, place, heldId]);
  const messages = useMemo(() => stretch.messages.slice(from, to), [stretch.messages, from, to]);
  return useMemo(() => {
    const number = place.around?.number ?? null;
    const ask = async (way: 'earlier' | 'later') => {
      setAsked(null);
      const isHere = await threads?.openNext(friendUserId, number, way);
      if (!isHere) setAsked({ way, of: endOf(stretch, way) });
    };
    const isMissing = asked && asked.of === endOf(stretch, asked.way);
    return {
      messages,
      hasEarlier: from > 0 || stretch.hasEarlier,
      hasLater: to < stretch.messages.length || stretch.hasLater,
      missing: isMissing ? asked.way : null,
      firstNewId: opened?.firstNewId ?? null,
      found,
      show,
      toLatest,
      hold,
      loadEarlier: async () => {
        setPlace({ ...place, before: before + PAGE_SIZE });
        if (from < PAGE_SIZE && stretch.hasEarlier) await ask('earlier');
      },
      loadLater: async () => {
        const isLeft = stretch.messages.length - to >= PAGE_SIZE;
        if (!isLeft && stretch.hasLater) await ask('later');
        const isAll = !isLeft && !stretch.hasLater;
        setPlace({ ...place, after: isAll ? Infinity : place.after + PAGE_SIZE });
      },
    };
  }, [
    threads,
    friendUserId,
    stretch,
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
