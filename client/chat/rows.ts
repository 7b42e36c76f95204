import type { ShownMessage } from './shown.ts';

/** A time stamp stands where more than this lies between two messages. */
const STAMP_GAP_MS = 5 * 60_000;

export interface Row {
  message: ShownMessage;
  /** Whether the time stands above it. */
  hasStamp: boolean;
  /** Whether the message above is by the same author and close to it. */
  isContinued: boolean;
  /** Whether what had not been read when the thread was opened begins here. */
  isFirstNew: boolean;
}

/** Messages, first to last, with what stands between them. */
export function rowsOf(messages: readonly ShownMessage[], firstNewId: string | null): Row[] {
  return messages.map((message, i) => {
    const before = messages[i - 1];
    // A clock that is wrong may put the later message before: that is no gap of its own.
    const hasStamp =
      !before || Math.abs(Date.parse(message.at) - Date.parse(before.at)) > STAMP_GAP_MS;
    const isFirstNew = message.id === firstNewId;
    const isContinued = !hasStamp && !isFirstNew && before?.isOwn === message.isOwn;
    return { message, hasStamp, isContinued, isFirstNew };
  });
}
