import { useEffect, useState } from 'react';
import { splitMessageId } from '#shared/chat/document.ts';
import type { OwnThread } from '../thread/use-thread.ts';
import type { ShownMessage } from '../types.ts';

/** Messages that arrive in this time are history, because segments may still be loading. */
const OPENS_WITHIN_MS = 2_000;
/** More messages at once, as after hours offline, are counted instead of read out. */
const SAID_AT_ONCE = 5;

const startWith = (newest: OwnThread['newest']) => ({
  newest,
  known: new Set(newest.map(keyOf)),
  incoming: newest.slice(0, 0),
});

/** Announces new messages to screen readers while a thread is open, but not its history. */
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
  const [announced, setAnnounced] = useState(() => startWith(newest));
  if (newest !== announced.newest) {
    const incoming = isOpen ? findIncomingMessages(newest, announced.known) : [];
    setAnnounced({
      newest,
      known: new Set([...announced.known, ...newest.map(keyOf)]),
      incoming: incoming.length > 0 ? incoming : announced.incoming,
    });
  }
  const { incoming } = announced;
  return (
    <div aria-live="polite" className="sr-only">
      {/* New elements each time, so that a repeated text is announced again. */}
      {incoming.length > SAID_AT_ONCE ? (
        <p key={incoming.at(-1)?.id}>{`${name}: ${newMessages(incoming.length)}`}</p>
      ) : (
        incoming.map(({ id, text }) => <p key={id}>{`${name}: ${text}`}</p>)
      )}
    </div>
  );
}

/** Returns the key of a message, which it keeps when its segment is replaced. */
const keyOf = ({ id }: { id: string }): string => splitMessageId(id).key;

/**
 * Finds the friend's new messages. Messages above all known ones are history that was loaded later.
 * @param messages the newest, first to last
 * @param known keys of the messages before (`keyOf`)
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

/** Formats a number of new messages. */
export const newMessages = (count: number): string =>
  `${count} new ${count === 1 ? 'message' : 'messages'}`;
