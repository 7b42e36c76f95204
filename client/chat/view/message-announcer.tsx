import { useEffect, useState } from 'react';
import { keyOf, newMessages, findIncomingMessages } from '../thread/incoming-messages.ts';
import type { OwnThread } from '../thread/use-thread.ts';

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
