import {
  Check,
  CheckCheck,
  Clock,
  EllipsisVertical,
  Eye,
  Flag,
  Hourglass,
  MapPin,
  TriangleAlert,
} from 'lucide-react';
import { memo } from 'react';
import { Link } from 'react-router-dom';
import { splitMessageId } from '#shared/chat/document.ts';
import { PHOTO_TEXT, previewOf } from '#shared/chat/rules.ts';
import { formatDateTime, formatTime } from '#shared/dates.ts';
import { useConnection } from '../../../platform/sync/documents/use-document.ts';
import { IconButton } from '../../../platform/ui/buttons/icon-button.tsx';
import { Time } from '../../../platform/ui/layout/time.tsx';
import { MessagePhoto } from '../attachments/message-photo.tsx';
import { useAttachments } from '../attachments/use-attachments.ts';
import { VoiceNote } from '../attachments/voice-note.tsx';
import type { ShownMessage, Delivery, Quote } from '../types.ts';
import { stampWords } from './format-time.ts';
import { isFewEmoji, splitLinks } from './parse-message-text.ts';
import { reactionOf } from './reactions.ts';
import { useLongPress } from './use-long-press.ts';

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

/** What a row does. The same functions for all rows, so that rows stay memoized. */
export interface RowActions {
  onChoose: (messageId: string) => void;
  onMenu: (message: ShownMessage, at: { x: number; y: number }, opener: HTMLElement | null) => void;
  onShow: (messageId: string) => void;
  onPhoto: (message: ShownMessage, source: string) => void;
  onReport: (messageId: string) => void;
}

/** A message with its headings, memoized because there are many. */
export const MessageRow = memo(function MessageRow({
  message,
  hasStamp,
  isOffDay,
  isContinued,
  isFirstNew,
  name,
  quoteId,
  quoted,
  isFound,
  isChosen,
  isReported,
  isNewestOwn,
  actions,
}: Row & {
  /** Of the friend. */
  name: string;
  /** The message that this one answers. */
  quoteId: Quote['id'];
  quoted: Quote['message'];
  /** The current day (`dayNumber`): times are formatted again on another day. */
  today: number;
  /** Whether it was found by a search. */
  isFound: boolean;
  isChosen: boolean;
  /** Whether the user reported it. */
  isReported: boolean;
  isNewestOwn: boolean;
  actions: RowActions;
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
          <Time at={message.at} format={isOffDay ? formatDateTime : formatTime} />
        </p>
      )}
      <MessageBubble
        message={message}
        name={name}
        quote={message.replyTo && { id: quoteId, message: quoted }}
        isContinued={isContinued}
        isChosen={isChosen}
        isReported={isReported}
        isNewestOwn={isNewestOwn}
        actions={actions}
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
        {...(/^https?:/u.test(span.href) && {
          target: '_blank',
          rel: 'noopener noreferrer nofollow',
        })}
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

const nameOf = ({ isOwn }: { isOwn: boolean }, name: string) => (isOwn ? 'You' : name);

/** The message that another one answers, in brief; leads to it. */
function QuotedMessage({
  quote: { id, message },
  name,
  onShow,
}: {
  quote: Quote;
  name: string;
  onShow: (messageId: string) => void;
}) {
  const look =
    'mb-1.5 block w-full min-w-0 rounded-control border-l-4 border-current bg-sunken px-2.5 py-1.5 text-left text-sm text-ink';
  if (message === undefined || id === null)
    return <p className={`${look} text-soft italic`}>This message was deleted</p>;
  return (
    <button type="button" onClick={() => onShow(id)} className={`${look} min-h-11`}>
      <span className="sr-only">Answer to </span>
      {message ? (
        <>
          <span className="block truncate font-bold">{nameOf(message, name)}</span>
          <span className="block truncate">{previewOf(message.text)}</span>
        </>
      ) : (
        <span>Show the original message</span>
      )}
    </button>
  );
}

/** A message. A tap shows its time; a long press, a right click or the button opens its menu. */
function MessageBubble({
  message,
  name,
  quote,
  isContinued,
  isChosen,
  isReported,
  isNewestOwn,
  actions,
}: {
  message: ShownMessage;
  /** Of the friend. */
  name: string;
  quote: Quote | undefined;
  isContinued: boolean;
  isChosen: boolean;
  isReported: boolean;
  isNewestOwn: boolean;
  actions: RowActions;
}) {
  const { text, isOwn, at, delivery, photo, voice, placeId } = message;
  const isPlain = !photo && !voice && !quote && placeId === undefined;
  const looks =
    isPlain && isFewEmoji(text)
      ? 'py-1 text-4xl'
      : `rounded-2xl px-3.5 py-2 ${isOwn ? 'bg-accent text-on-accent' : 'border border-line bg-surface'}`;
  const hasBubble = quote !== undefined || !photo || text !== PHOTO_TEXT;
  const reaction = message.reaction && reactionOf(message.reaction);
  // A tap, a mouse above it or the keyboard brings out the buttons. A thumb must not press one that it can't see.
  const whenWanted = `focus-visible:opacity-100 ${isChosen ? '' : 'opacity-0 group-hover/message:opacity-100 pointer-coarse:pointer-events-none'}`;
  const isBrief = !isNewestOwn && !isChosen && delivery !== null && BRIEF.has(delivery);
  const press = useLongPress((point) => actions.onMenu(message, point, menuButton(message.id)));
  return (
    <article
      tabIndex={-1}
      aria-label={`${nameOf(message, name)}, ${stampWords(at)}`}
      className={`group/message flex items-start gap-1 ${isOwn ? 'flex-row-reverse' : ''} ${isContinued ? 'mt-1' : 'mt-3'}`}
    >
      <div
        className={`flex max-w-[80%] min-w-0 flex-col sm:max-w-[70%] ${isOwn ? 'items-end' : 'items-start'}`}
      >
        <div
          {...press}
          data-bubble=""
          className={`flex max-w-full min-w-0 flex-col gap-1 pointer-coarse:select-none [-webkit-touch-callout:none] ${isOwn ? 'items-end' : 'items-start'}`}
        >
          {photo && (
            <MessagePhoto
              messageId={message.id}
              sentAt={message.at}
              photo={photo}
              alt={`Photo from ${isOwn ? 'you' : name}. Show it larger`}
              onOpen={(source) => actions.onPhoto(message, source)}
            />
          )}
          {hasBubble && (
            // Keyboards reach what a tap shows without one.
            // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-static-element-interactions
            <div
              dir="auto"
              onClick={() =>
                window.getSelection()?.isCollapsed !== false && actions.onChoose(message.id)
              }
              className={`max-w-full min-w-0 break-words whitespace-pre-wrap ${looks}`}
            >
              {quote && <QuotedMessage quote={quote} name={name} onShow={actions.onShow} />}
              {voice && (
                <VoiceNote
                  messageId={message.id}
                  sentAt={message.at}
                  voice={voice}
                  author={isOwn ? 'you' : name}
                />
              )}
              {!voice && placeId === undefined && <MessageText text={text} />}
              {!voice && placeId !== undefined && (
                <Link
                  to={`/locations?place=${placeId}`}
                  className="flex min-h-11 items-center gap-2.5"
                >
                  <MapPin aria-hidden className="size-6 shrink-0" />
                  <span className="min-w-0">
                    <span className="block font-bold break-words">{text}</span>
                    <span className="block text-sm underline underline-offset-2">Open place</span>
                  </span>
                </Link>
              )}
            </div>
          )}
        </div>
        {reaction && (
          <span
            role="img"
            aria-label={`${isOwn ? name : 'You'} reacted: ${reaction.name}`}
            className="z-10 -mt-1.5 rounded-full border border-line bg-surface px-2 py-0.5 text-base leading-6"
          >
            {reaction.symbol}
          </span>
        )}
        {message.isEdited && <p className="mt-0.5 text-sm text-soft">Edited</p>}
        {isReported && (
          <p className="mt-0.5 flex items-center gap-1 text-sm text-soft">
            <Flag aria-hidden className="size-3.5 shrink-0" />
            Reported
          </p>
        )}
        <time dateTime={at} className={`text-sm text-soft ${isChosen ? '' : 'sr-only'}`}>
          {stampWords(at)}
        </time>
        {delivery && (
          <p className={isBrief ? 'sr-only' : 'mt-0.5 text-sm text-soft'}>
            {photo || voice ? (
              <AttachmentDeliveryMark
                messageId={message.id}
                delivery={delivery}
                hasWords={isNewestOwn || isChosen}
              />
            ) : (
              <DeliveryMark state={delivery} hasWords={isNewestOwn || isChosen} />
            )}
          </p>
        )}
      </div>
      {!isOwn && (
        <IconButton
          Icon={Flag}
          label={`Report this message from ${name}`}
          onClick={() => actions.onReport(message.id)}
          className={`-my-1 -mr-2 text-soft ${whenWanted}`}
        />
      )}
      <IconButton
        id={`menu-${message.id}`}
        Icon={EllipsisVertical}
        label={`Actions for the message from ${isOwn ? 'you' : name}`}
        aria-haspopup="menu"
        onClick={({ currentTarget }) => {
          const { left, bottom } = currentTarget.getBoundingClientRect();
          actions.onMenu(message, { x: left, y: bottom }, currentTarget);
        }}
        className={`-my-1 text-soft ${whenWanted}`}
      />
    </article>
  );
}

/** The button of a message's menu, which gets the focus back when the menu closes. */
const menuButton = (messageId: string) => document.getElementById(`menu-${messageId}`);

const STATES = {
  device: { Icon: Clock, words: 'Sending' },
  server: { Icon: Check, words: 'Sent' },
  delivered: { Icon: CheckCheck, words: 'Delivered' },
  read: { Icon: Eye, words: 'Read' },
  held: { Icon: Hourglass, words: 'Waiting for a moderator. No one else can see it yet.' },
  refused: { Icon: TriangleAlert, words: 'Not sent. Unsend this message to try again.' },
} as const satisfies Record<Delivery | 'refused', { Icon: typeof Check; words: string }>;
/** Below the newest message, and after a tap: elsewhere the line would spread the messages. */
const BRIEF: ReadonlySet<Delivery> = new Set(['server', 'delivered', 'read']);
const ALWAYS_IN_WORDS = ['held', 'refused'];

/** What a message waits for that is only on this device: the connection, where there is verifiably none. */
function Unsent() {
  return useConnection() === 'offline' ? 'Waiting for connection' : STATES.device.words;
}

/** The delivery status of an own message: an icon, with its text for screen readers or where `hasWords`. */
function DeliveryMark({ state, hasWords }: { state: keyof typeof STATES; hasWords: boolean }) {
  const { Icon, words } = STATES[state];
  return (
    <span data-delivery={state} className="inline-flex items-center gap-1">
      <Icon aria-hidden className="size-3.5 shrink-0" />
      <span className={hasWords || ALWAYS_IN_WORDS.includes(state) ? '' : 'sr-only'}>
        {state === 'device' ? <Unsent /> : words}
      </span>
    </span>
  );
}

/** The delivery status of an own message with a photo or recording, which the server may have refused. */
function AttachmentDeliveryMark({
  messageId,
  delivery,
  hasWords,
}: {
  messageId: string;
  delivery: Delivery;
  hasWords: boolean;
}) {
  const waiting = useAttachments().get(splitMessageId(messageId).key);
  return (
    <DeliveryMark state={waiting?.state === 'refused' ? 'refused' : delivery} hasWords={hasWords} />
  );
}
