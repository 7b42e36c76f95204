import { splitMessageId } from '#shared/chat/document.ts';
import type { ShownMessage } from '../types.ts';

/** What a message is called wherever it is: a segment that takes another one's place has the same messages. */
export const keyOf = ({ id }: { id: string }): string => splitMessageId(id).key;

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
