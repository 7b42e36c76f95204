import { useEffect, useState } from 'react';
import { splitMessageId } from '#shared/chat/document.ts';
import type { OwnThread } from '../thread/use-thread.ts';
import type { ShownMessage } from '../types.ts';

/** Until then both's segments are taken to be still coming: that is history. */
const OPENS_WITHIN_MS = 2_000;
/** More at once, as after hours without a network, are counted and not read out. */
const SAID_AT_ONCE = 5;

const nothingBut = (newest: OwnThread['newest']) => ({
  newest,
  known: new Set(newest.map(keyOf)),
  news: newest.slice(0, 0),
});

/** What comes while a thread is open, for screen readers, wherever one reads in it: not its history. */
export function MessageAnnouncer({
  thread: { newest, isWhole },
  name,
}: {
  thread: Pick<OwnThread, 'newest' | 'isWhole'>;
  name: string;
}) {
  const [isOpen, setOpen] = useState(false);
  useEffect(() => {
    if (!isWhole) return;
    const timer = setTimeout(() => setOpen(true), OPENS_WITHIN_MS);
    return () => clearTimeout(timer);
  }, [isWhole]);
  const [heard, setHeard] = useState(() => nothingBut(newest));
  if (newest !== heard.newest) {
    const news = isOpen ? findIncomingMessages(newest, heard.known) : [];
    setHeard({
      newest,
      known: new Set([...heard.known, ...newest.map(keyOf)]),
      news: news.length > 0 ? news : heard.news,
    });
  }
  const { news } = heard;
  return (
    <div aria-live="polite" className="sr-only">
      {/* Anew each time: who says the same twice is heard twice. */}
      {news.length > SAID_AT_ONCE ? (
        <p key={news.at(-1)?.id}>{`${name}: ${newMessages(news.length)}`}</p>
      ) : (
        news.map(({ id, text }) => <p key={id}>{`${name}: ${text}`}</p>)
      )}
    </div>
  );
}

/** What a message is called wherever it is: a segment that takes another one's place has the same messages. */
const keyOf = ({ id }: { id: string }): string => splitMessageId(id).key;

/**
 * What a friend has written since: wherever it stands among one's own, but not above all that was there, as what is loaded
 * of before.
 * @param messages the newest, first to last
 * @param known `keyOf` those that were there
 */
export function findIncomingMessages(
  messages: readonly ShownMessage[],
  known: ReadonlySet<string>,
): ShownMessage[] {
  const first = messages.findIndex((message) => known.has(keyOf(message)));
  return messages
    .slice(Math.max(0, first))
    .filter((message) => !message.isOwn && !known.has(keyOf(message)));
}

/** How many messages are new, in words. */
export const newMessages = (count: number): string =>
  `${count} new ${count === 1 ? 'message' : 'messages'}`;
