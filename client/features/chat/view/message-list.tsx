import { ArrowDown, ArrowUp, ChevronDown, ChevronUp, MessagesSquare } from 'lucide-react';
import { useEffect, useMemo, useRef, useState } from 'react';
import { splitMessageId } from '#shared/chat/document.ts';
import { HOUR_MS, MINUTE_MS } from '#shared/time.ts';
import { useUnavailableText } from '../../../platform/sync/status/use-unavailable-text.ts';
import { Button } from '../../../platform/ui/buttons/button.tsx';
import { useNow } from '../../../platform/use-now.ts';
import { useReportedMessages } from '../../moderation/use-reported-messages.ts';
import { PhotoViewer } from '../attachments/photo-viewer.tsx';
import type { OwnThread } from '../thread/use-thread.ts';
import type { ShownMessage } from '../types.ts';
import { dayNumber, dayName } from './format-time.ts';
import { newMessages } from './message-announcer.tsx';
import { MessageMenu, type MessageActions, type OpenMenu } from './message-menu.tsx';
import { MessageRow, NEW_HERE, type Row, type RowActions } from './message-row.tsx';
import {
  unseenBelow,
  useAbove,
  useLoadOnScroll,
  useRead,
  useScrollPlace,
  useScrolling,
} from './use-message-scroll.ts';

/** The messages of a thread that are shown, by days, first to last. */
export function MessageList({
  thread,
  name,
  actions,
}: {
  thread: OwnThread;
  name: string;
  actions: MessageActions;
}) {
  const { messages, firstNewId, hasEarlier, hasLater, missing, found } = thread;
  const days = useMemo(() => daysOf(messages, firstNewId), [messages, firstNewId]);
  const now = useNow();
  const { list, isAtEnd, toEnd, onScroll } = useScrollPlace(messages, {
    opensAt: firstNewId && NEW_HERE,
    canStickToEnd: !hasLater,
  });
  const above = useAbove(thread, list);
  const onRead = useRead(thread, list);
  const onMove = useScrolling(list);
  const [chosenId, setChosenId] = useState<string | null>(null);
  const [menu, setMenu] = useState<OpenMenu | null>(null);
  const [photo, setPhoto] = useState<{ id: string; source: string } | null>(null);
  const photos = useMemo(() => messages.filter((message) => message.photo), [messages]);
  const { show } = thread;
  const { onReport } = actions;
  const rowActions: RowActions = useMemo(
    () => ({
      onChoose: (id) => setChosenId((before) => (before === id ? null : id)),
      onMenu: (message, point, opener) =>
        setMenu({ message, at: besideOf(message.id, point), opener }),
      onShow: (id) => void show(id),
      onPhoto: ({ id }, source) => setPhoto({ id, source }),
      onReport,
    }),
    [show, onReport],
  );
  const quotes = useMemo(
    () =>
      new Map(
        messages.flatMap(({ id, replyTo }) =>
          replyTo ? [[id, thread.find(replyTo)] as const] : [],
        ),
      ),
    [messages, thread],
  );
  const reported = useReportedMessages();
  const newestOwnId = messages.findLast(({ isOwn }) => isOwn)?.id;
  const lastId = messages.at(-1)?.id;
  const isLatest = isAtEnd && !hasLater;
  const [seenUpTo, setSeenUpTo] = useState(lastId);
  if (isLatest && seenUpTo !== lastId) setSeenUpTo(lastId);
  const firstId = messages[0]?.id ?? null;
  const { pin } = thread;
  // Each new message at the end would otherwise push the topmost one out of the window.
  useEffect(() => pin(isAtEnd ? null : firstId), [pin, isAtEnd, firstId]);
  const unseen = unseenBelow(thread, seenUpTo);

  useEffect(() => {
    const row = found && document.getElementById(found.id);
    // Screen readers continue from the message that was found.
    row?.querySelector('article')?.focus({ preventScroll: true });
    row?.scrollIntoView({ block: 'center' });
  }, [found]);

  return (
    <div className="relative flex min-h-0 flex-1 flex-col">
      {above.ids[0] && (
        <button
          type="button"
          onClick={() => void thread.show(above.ids[0] ?? '')}
          className="flex min-h-11 w-full shrink-0 items-center justify-center gap-2 border-b border-line bg-accent-soft px-3 font-bold text-accent"
        >
          <ArrowUp aria-hidden className="size-5 shrink-0" />
          {newMessages(above.ids.length)} further up
        </button>
      )}
      <div
        ref={list}
        role="log"
        aria-live="off"
        aria-label={`Messages with ${name}`}
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
        tabIndex={0}
        onScroll={() => {
          onScroll();
          above.look();
          onRead();
          onMove();
        }}
        className="group/list relative min-h-0 flex-1 overflow-y-auto overscroll-contain px-3 [overflow-anchor:none] sm:px-5"
      >
        <div className="flex min-h-full flex-col justify-end py-3">
          {hasEarlier && (
            <MoreMessages
              from={firstId}
              way="earlier"
              isMissing={missing === 'earlier'}
              onLoad={thread.loadEarlier}
            />
          )}
          {days.map(({ key, at, rows }) => (
            <div key={key} className="pt-4">
              <DayName at={at} now={now} />
              {rows.map((row) => (
                <MessageRow
                  key={row.message.id}
                  {...row}
                  name={name}
                  today={dayNumber(now)}
                  isFound={row.message.id === found?.id}
                  isChosen={row.message.id === chosenId}
                  isReported={reported.has(splitMessageId(row.message.id).key)}
                  isNewestOwn={row.message.id === newestOwnId}
                  quoteId={quotes.get(row.message.id)?.id ?? null}
                  quoted={quotes.get(row.message.id)?.message}
                  actions={rowActions}
                />
              ))}
            </div>
          ))}
          {hasLater ? (
            <div className="mt-3">
              <MoreMessages way="later" isMissing={missing === 'later'} onLoad={thread.loadLater} />
            </div>
          ) : (
            <Typing name={name} isTyping={thread.friendIsTyping} />
          )}
        </div>
      </div>
      <MessageMenu
        menu={menu}
        name={name}
        isFrozen={thread.isFrozen}
        actions={actions}
        onClose={() => setMenu(null)}
      />
      {photo && (
        <PhotoViewer
          photos={photos}
          messageId={photo.id}
          source={photo.source}
          onClose={() => setPhoto(null)}
        />
      )}
      {!isLatest && (
        <button
          type="button"
          onClick={() => {
            toEnd();
            thread.toLatest();
          }}
          className="absolute right-4 bottom-3 inline-flex min-h-11 min-w-11 items-center justify-center gap-2 rounded-full border border-line bg-surface px-3 font-bold shadow-lift"
        >
          <ArrowDown aria-hidden className="size-5" />
          {unseen > 0 ? (
            <>
              <span>{unseen} new</span>{' '}
              <span className="sr-only">
                {unseen === 1 ? 'message' : 'messages'}, go to the latest
              </span>
            </>
          ) : (
            <span className="sr-only">Go to the latest message</span>
          )}
        </button>
      )}
    </div>
  );
}

/** Below this height, a menu is as high as the space beside its message. */
const MENU_PX = 320;

/**
 * Returns what the menu of a message opens beside: its bubble, so that it covers no word of it; the point that was pressed where
 * the bubble leaves no room.
 */
function besideOf(messageId: string, { x, y }: { x: number; y: number }): OpenMenu['at'] {
  const bubble = document.getElementById(messageId)?.querySelector('[data-bubble]');
  const list = bubble?.closest('[role=log]')?.getBoundingClientRect();
  const point = { x, y, width: 0, height: 0 };
  if (!bubble || !list) return point;
  const { left, right, top, bottom } = bubble.getBoundingClientRect();
  const hasRoom = top - list.top >= MENU_PX || window.innerHeight - bottom >= MENU_PX;
  return hasRoom ? { x: left, y: top, width: right - left, height: bottom - top } : point;
}

/** The name of a day above its messages, which also sticks to the upper edge of the list while scrolling. */
function DayName({ at, now }: { at: string; now: number }) {
  const name = (
    <time
      dateTime={at}
      className="rounded-full border border-line bg-surface px-3 py-0.5 text-sm font-bold text-soft"
    >
      {dayName(at, now)}
    </time>
  );
  return (
    <>
      <div
        aria-hidden
        className="pointer-events-none sticky top-0 z-10 flex h-0 low:hidden items-start justify-center opacity-0 transition-opacity group-data-scrolling/list:opacity-100"
      >
        {name}
      </div>
      <h2 className="flex justify-center">{name}</h2>
    </>
  );
}

const WAYS = {
  earlier: { words: 'Load earlier messages', missing: 'earlier messages', Icon: ChevronUp },
  later: { words: 'Load later messages', missing: 'later messages', Icon: ChevronDown },
};

/** The button that loads more messages. */
function MoreMessages({
  way,
  from = null,
  isMissing,
  onLoad,
}: {
  way: 'earlier' | 'later';
  /** The first message that is shown: before it, more load as the reader scrolls. */
  from?: string | null;
  /** Whether loading them failed. */
  isMissing: boolean;
  onLoad: () => Promise<void>;
}) {
  const { words, missing, Icon } = WAYS[way];
  const unavailable = useUnavailableText(missing);
  const button = useRef<HTMLDivElement>(null);
  useLoadOnScroll(button, way === 'earlier' && !isMissing ? from : null, onLoad);
  return (
    <div ref={button} className="flex flex-col items-center">
      <Button look="quiet" onClick={() => void onLoad()} Icon={Icon}>
        {words}
      </Button>
      <p role="status" className="max-w-xs text-center text-sm text-soft not-empty:mt-2">
        {isMissing && unavailable}
      </p>
    </div>
  );
}

/** Shown while the friend is typing. */
function Typing({ name, isTyping }: { name: string; isTyping: boolean }) {
  return (
    <div role="status" className="mt-3 flex items-center gap-2 text-sm text-soft empty:hidden">
      {isTyping && (
        <>
          <span
            aria-hidden
            className="inline-flex gap-1 rounded-2xl border border-line bg-surface px-3.5 py-3"
          >
            {['', '[animation-delay:150ms]', '[animation-delay:300ms]'].map((delay) => (
              <span
                key={delay}
                className={`size-2 animate-pulse rounded-full bg-line-strong ${delay}`}
              />
            ))}
          </span>
          {name} is typing…
        </>
      )}
    </div>
  );
}

/** Shown while a thread has no messages. */
export function EmptyThread({ name, isTyping }: { name: string; isTyping: boolean }) {
  return (
    <div className="flex min-h-0 flex-1 flex-col items-center justify-center gap-3 overflow-y-auto p-6 text-center text-soft">
      <MessagesSquare aria-hidden className="size-10" />
      <p className="max-w-xs">No messages yet. Plan your next walk with {name}.</p>
      <Typing name={name} isTyping={isTyping} />
    </div>
  );
}

/** A longer gap between two messages gets a time stamp. */
const STAMP_GAP_MS = 5 * MINUTE_MS;
/** Clocks differ: this long before midnight, a message may stay under the next day, so that days do not alternate. */
const CLOCKS_DIFFER_MS = HOUR_MS;

/** The messages of a day. */
export interface Day {
  /** Stable when earlier messages of the day load. */
  key: string;
  /** ISO 8601: when its first message was written. */
  at: string;
  rows: Row[];
}

/** Groups messages, first to last, by days. Their order stays, even where dates contradict it. */
export function daysOf(messages: readonly ShownMessage[], firstNewId: string | null): Day[] {
  const days: Day[] = [];
  for (const [i, message] of messages.entries()) {
    const before = messages[i - 1];
    const time = Date.parse(message.at);
    const number = dayNumber(time);
    let day = days.at(-1);
    const shown = day && dayNumber(Date.parse(day.at));
    const isNewDay = number !== shown && dayNumber(time + CLOCKS_DIFFER_MS) !== shown;
    if (!day || isNewDay) {
      // With a wrong clock, a day may occur more than once.
      const times = days.filter(({ key }) => key.startsWith(`${number}.`)).length;
      day = { key: `${number}.${times}`, at: message.at, rows: [] };
      days.push(day);
    }
    // With a wrong clock, the later message may have an earlier time.
    const hasStamp = !before || Math.abs(time - Date.parse(before.at)) > STAMP_GAP_MS;
    const isFirstNew = message.id === firstNewId;
    const isContinued = !hasStamp && !isNewDay && !isFirstNew && before?.isOwn === message.isOwn;
    const isOffDay = !isNewDay && number !== shown;
    day.rows.push({ message, hasStamp, isOffDay, isContinued, isFirstNew });
  }
  return days;
}
