import { memo } from 'react';
import { Copy, Flag, Check, CheckCheck, Eye, Hourglass, Smartphone } from 'lucide-react';
import { toast } from 'sonner';
import { formatDateTime, formatTime } from '#shared/dates.ts';
import { IconButton } from '../../ui/icon-button.tsx';
import { isFewEmoji, splitLinks } from './parse-message-text.ts';
import type { ShownMessage, Delivery } from '../types.ts';
import { stampWords } from './format-time.ts';

/** Id of the element above the first unread message. */
export const NEW_HERE = 'new-messages';

export interface Row {
  message: ShownMessage;
  /** Whether its time is shown above it. */
  hasStamp: boolean;
  /** Whether its date differs from the day it is shown under. */
  isOffDay: boolean;
  /** Whether the message above is by the same author and close to it. */
  isContinued: boolean;
  /** Whether it is the first one that was unread when the thread was opened. */
  isFirstNew: boolean;
}

/** A message with its headings, memoized because there are many. */
export const MessageRow = memo(function MessageRow({
  message,
  hasStamp,
  isOffDay,
  isContinued,
  isFirstNew,
  name,
  isFound,
  isChosen,
  isNewestOwn,
  onChoose,
  onReport,
}: Row & {
  /** Of the friend. */
  name: string;
  /** The current day (`dayNumber`): times are formatted again on another day. */
  today: number;
  /** Whether it was found by a search. */
  isFound: boolean;
  isChosen: boolean;
  isNewestOwn: boolean;
  onChoose: (messageId: string) => void;
  onReport: (messageId: string) => void;
}) {
  return (
    <div id={message.id} className={isFound ? 'rounded-control bg-accent-soft' : undefined}>
      {isFirstNew && (
        <p
          id={NEW_HERE}
          className="mt-4 flex items-center gap-3 text-sm font-bold text-accent before:h-px before:flex-1 before:bg-current after:h-px after:flex-1 after:bg-current"
        >
          New messages
        </p>
      )}
      {hasStamp && (
        <p className="mt-4 text-center text-sm text-soft">
          <time dateTime={message.at}>
            {isOffDay ? formatDateTime(message.at) : formatTime(message.at)}
          </time>
        </p>
      )}
      <MessageBubble
        message={message}
        name={name}
        isContinued={isContinued}
        isChosen={isChosen}
        isNewestOwn={isNewestOwn}
        onChoose={() => onChoose(message.id)}
        onReport={() => onReport(message.id)}
      />
    </div>
  );
});

const MessageText = memo(function MessageText({ text }: { text: string }) {
  return splitLinks(text).map((span, i) =>
    span.href ? (
      <a
        key={i}
        href={span.href}
        dir="ltr"
        target="_blank"
        rel="noopener noreferrer nofollow"
        onClick={(event) => event.stopPropagation()}
        className="underline decoration-1 underline-offset-2"
      >
        {span.text}
      </a>
    ) : (
      <span key={i}>{span.text}</span>
    ),
  );
});

async function copy(text: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    toast.success('Message copied');
  } catch {
    toast.error('This browser doesn’t allow copying. Select the text instead.');
  }
}

/**
 * A message. A tap shows its time and a copy button, which are always there for keyboards and screen readers.
 */
function MessageBubble({
  message,
  name,
  isContinued,
  isChosen,
  isNewestOwn,
  onChoose,
  onReport,
}: {
  message: ShownMessage;
  /** Of the friend. */
  name: string;
  isContinued: boolean;
  isChosen: boolean;
  isNewestOwn: boolean;
  onChoose: () => void;
  onReport: () => void;
}) {
  const { text, isOwn, at, delivery } = message;
  const looks = isFewEmoji(text)
    ? 'py-1 text-4xl'
    : `rounded-2xl px-3.5 py-2 ${isOwn ? 'bg-accent text-on-accent' : 'border border-line bg-surface'}`;
  return (
    <article
      tabIndex={-1}
      aria-label={`${isOwn ? 'You' : name}, ${stampWords(at)}`}
      className={`flex items-start gap-1 ${isOwn ? 'justify-end' : ''} ${isContinued ? 'mt-1' : 'mt-3'}`}
    >
      <div
        className={`flex max-w-[80%] min-w-0 flex-col sm:max-w-[70%] ${isOwn ? 'items-end' : 'items-start'}`}
      >
        {/* Keyboards reach what a tap shows without one. */}
        {/* oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-static-element-interactions */}
        <div
          dir="auto"
          onClick={() => window.getSelection()?.isCollapsed !== false && onChoose()}
          className={`max-w-full break-words whitespace-pre-wrap ${looks}`}
        >
          <MessageText text={text} />
        </div>
        <div
          className={`flex items-center gap-1.5 text-sm text-soft ${isChosen ? '' : 'not-has-focus-visible:sr-only'}`}
        >
          <time dateTime={at}>{stampWords(at)}</time>
          <button
            type="button"
            onClick={() => void copy(text)}
            className="inline-flex min-h-11 items-center gap-1.5 rounded-control px-2 font-bold text-accent"
          >
            <Copy aria-hidden className="size-4 shrink-0" />
            Copy
          </button>
        </div>
        {delivery && (
          <p className="mt-0.5 text-sm text-soft">
            <DeliveryMark
              delivery={delivery}
              hasWords={isNewestOwn || isChosen || delivery === 'held'}
            />
          </p>
        )}
      </div>
      {!isOwn && (
        <IconButton
          label={`Report this message from ${name}`}
          onClick={onReport}
          className="text-soft opacity-70 hover:opacity-100 focus-visible:opacity-100"
        >
          <Flag aria-hidden className="size-4" />
        </IconButton>
      )}
    </article>
  );
}

const STATES = {
  device: { Icon: Smartphone, words: 'On this device only' },
  server: { Icon: Check, words: 'On our server' },
  delivered: { Icon: CheckCheck, words: 'Delivered' },
  read: { Icon: Eye, words: 'Read' },
  held: { Icon: Hourglass, words: 'Waiting for a moderator. No one else can see it yet.' },
} as const satisfies Record<Delivery, { Icon: typeof Check; words: string }>;

/** The delivery status of an own message: an icon, with its text for screen readers or where `hasWords`. */
function DeliveryMark({ delivery, hasWords }: { delivery: Delivery; hasWords: boolean }) {
  const { Icon, words } = STATES[delivery];
  return (
    <span data-delivery={delivery} className="inline-flex items-center gap-1">
      <Icon aria-hidden className="size-3.5 shrink-0" />
      <span className={hasWords ? '' : 'sr-only'}>{words}</span>
    </span>
  );
}
