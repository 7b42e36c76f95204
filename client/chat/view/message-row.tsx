import { memo } from 'react';
import { formatDateTime, formatTime } from '#shared/dates.ts';
import { MessageBubble } from './message-bubble.tsx';
import type { Row } from './group-messages.ts';

/** The element above what had not been read. */
export const NEW_HERE = 'new-messages';

/** A message with what stands above it. It is drawn anew only when something about it changes: there are many. */
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
  /** Of the other. */
  name: string;
  /** The day by which times are told, `dayNumber`: with another, they are told anew. */
  today: number;
  /** Whether it was looked for. */
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
