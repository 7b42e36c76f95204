import { ArrowDown, ArrowUp } from 'lucide-react';
import { useCallback, useEffect, useMemo, useState } from 'react';
import { useNow } from '../../use-now.ts';
import { DayName } from './day-heading.tsx';
import { MessageRow, NEW_HERE } from './message-row.tsx';
import { MoreMessages } from './load-more.tsx';
import { newMessages } from '../thread/incoming-messages.ts';
import { daysOf } from './group-messages.ts';
import { dayNumber } from './format-time.ts';
import { Typing } from './typing-indicator.tsx';
import { unseenBelow } from '../scrolling/unread-below.ts';
import { useAbove } from '../scrolling/use-unread-above.ts';
import { useRead } from '../scrolling/use-mark-read.ts';
import { useScrollPlace } from '../scrolling/use-scroll-anchor.ts';
import { useScrolling } from '../scrolling/use-scrolling-attribute.ts';
import type { OwnThread } from '../thread/use-thread.ts';

/** A thread as far as it is shown, first to last. */
export function MessageList({
  thread,
  name,
  onReport,
}: {
  thread: OwnThread;
  name: string;
  onReport: (messageId: string) => void;
}) {
  const { messages, firstNewId, hasEarlier, hasLater, missing, found } = thread;
  const days = useMemo(() => daysOf(messages, firstNewId), [messages, firstNewId]);
  const now = useNow();
  const { list, isAtEnd, toEnd, onScroll } = useScrollPlace(messages, {
    opensAt: firstNewId && NEW_HERE,
    isToBeHeld: !hasLater,
  });
  const above = useAbove(thread, list);
  const onRead = useRead(thread, list);
  const onMove = useScrolling(list);
  const [chosenId, setChosenId] = useState<string | null>(null);
  const choose = useCallback(
    (id: string) => setChosenId((before) => (before === id ? null : id)),
    [],
  );
  const newestOwnId = messages.findLast(({ isOwn }) => isOwn)?.id;
  const lastId = messages.at(-1)?.id;
  const isLatest = isAtEnd && !hasLater;
  const [seenUpTo, setSeenUpTo] = useState(lastId);
  if (isLatest && seenUpTo !== lastId) setSeenUpTo(lastId);
  const firstId = messages[0]?.id ?? null;
  const { hold } = thread;
  // Whoever reads the topmost would lose it to each message that comes at the end.
  useEffect(() => hold(isAtEnd ? null : firstId), [hold, isAtEnd, firstId]);
  const unseen = unseenBelow(thread, seenUpTo);

  useEffect(() => {
    const row = found && document.getElementById(found.id);
    // Read on from there, or said, where nobody sees the screen move.
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
                  isNewestOwn={row.message.id === newestOwnId}
                  onChoose={choose}
                  onReport={onReport}
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
              {unseen} new{' '}
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
