import { ArrowDown, ChevronUp } from 'lucide-react';
import { useEffect, useMemo, useState } from 'react';
import { Button } from '../ui/button.tsx';
import { MessageBubble } from './message-bubble.tsx';
import { rowsOf } from './rows.ts';
import type { ShownMessage } from './shown.ts';
import { stampWords } from './times.ts';
import { Typing } from './typing.tsx';
import { useScrollPlace } from './use-scroll-place.ts';

const NEW_HERE = 'new-messages';
/** Until then both's parts are taken to be still coming: that is history. */
const OPENS_WITHIN_MS = 2_000;

/** What came while the thread is open, for screen readers: not its history. */
function Heard({ messages, name }: { messages: readonly ShownMessage[]; name: string }) {
  const last = messages.at(-1);
  const [isOpen, setOpen] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setOpen(true), OPENS_WITHIN_MS);
    return () => clearTimeout(timer);
  }, []);
  const [heard, setHeard] = useState({ id: last?.id, words: '' });
  if (last && last.id !== heard.id)
    setHeard({ id: last.id, words: last.isOwn || !isOpen ? '' : `${name}: ${last.text}` });
  return (
    <p aria-live="polite" className="sr-only">
      {/* Anew each time: who says the same twice is heard twice. */}
      <span key={heard.id}>{heard.words}</span>
    </p>
  );
}

/** A thread as far as it is loaded, first to last. */
export function MessageList({
  messages,
  name,
  firstNewId,
  hasEarlier,
  isTyping,
  foundId,
  onLoadEarlier,
  onSeen,
  onReport,
}: {
  messages: readonly ShownMessage[];
  name: string;
  /** The first that had not been read when the thread was opened. */
  firstNewId: string | null;
  hasEarlier: boolean;
  isTyping: boolean;
  /** A message to be shown, as found in a search. */
  foundId: string | null;
  onLoadEarlier: () => void;
  /** The end of the thread is before the reader's eyes. */
  onSeen: () => void;
  onReport: (messageId: string) => void;
}) {
  const rows = useMemo(() => rowsOf(messages, firstNewId), [messages, firstNewId]);
  const { list, isAtEnd, toEnd, onScroll } = useScrollPlace(messages, firstNewId && NEW_HERE);
  const [chosenId, setChosenId] = useState<string | null>(null);
  const newestOwnId = messages.findLast(({ isOwn }) => isOwn)?.id;
  const lastId = messages.at(-1)?.id;
  const [seenUpTo, setSeenUpTo] = useState(lastId);
  if (isAtEnd && seenUpTo !== lastId) setSeenUpTo(lastId);
  const seenAt = messages.findIndex(({ id }) => id === seenUpTo);
  const unseen = messages.slice(seenAt + 1).filter(({ isOwn }) => !isOwn).length;

  useEffect(() => {
    const look = () => {
      if (lastId && isAtEnd && document.visibilityState === 'visible') onSeen();
    };
    look();
    document.addEventListener('visibilitychange', look);
    return () => document.removeEventListener('visibilitychange', look);
  }, [isAtEnd, lastId, onSeen]);

  useEffect(() => {
    if (foundId) document.getElementById(foundId)?.scrollIntoView({ block: 'center' });
  }, [foundId]);

  return (
    <div className="relative min-h-0 flex-1">
      <div
        ref={list}
        role="log"
        aria-live="off"
        aria-label={`Messages with ${name}`}
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
        tabIndex={0}
        onScroll={onScroll}
        className="relative h-full overflow-y-auto overscroll-contain px-3 [overflow-anchor:none] sm:px-5"
      >
        <div className="flex min-h-full flex-col justify-end py-3">
          {hasEarlier && (
            <Button
              look="quiet"
              className="self-center"
              onClick={onLoadEarlier}
              icon={<ChevronUp aria-hidden className="size-5" />}
            >
              Load earlier messages
            </Button>
          )}
          {rows.map(({ message, hasStamp, isContinued, isFirstNew }) => (
            <div
              key={message.id}
              id={message.id}
              className={message.id === foundId ? 'rounded-control bg-accent-soft' : undefined}
            >
              {isFirstNew && (
                <p
                  id={NEW_HERE}
                  className="mt-4 flex items-center gap-3 text-sm font-semibold text-accent before:h-px before:flex-1 before:bg-current after:h-px after:flex-1 after:bg-current"
                >
                  New messages
                </p>
              )}
              {hasStamp && (
                <p className="mt-4 text-center text-sm text-soft">
                  <time dateTime={message.at}>{stampWords(message.at)}</time>
                </p>
              )}
              <MessageBubble
                message={message}
                name={name}
                isContinued={isContinued}
                isChosen={chosenId === message.id}
                isNewestOwn={message.id === newestOwnId}
                onChoose={() => setChosenId(chosenId === message.id ? null : message.id)}
                onReport={() => onReport(message.id)}
              />
            </div>
          ))}
          <Typing name={name} isTyping={isTyping} />
        </div>
      </div>
      <Heard messages={messages} name={name} />
      {!isAtEnd && (
        <button
          type="button"
          onClick={toEnd}
          className="absolute right-4 bottom-3 inline-flex min-h-11 min-w-11 items-center justify-center gap-2 rounded-full border border-line bg-surface px-3 font-semibold shadow-lift"
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
