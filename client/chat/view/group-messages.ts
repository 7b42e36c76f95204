import type { ShownMessage } from '../types.ts';
import { dayNumber } from './format-time.ts';

/** A longer gap between two messages gets a time stamp. */
const STAMP_GAP_MS = 5 * 60_000;
/** Clocks differ: this long before midnight, a message may stay under the next day, so that days do not alternate. */
const CLOCKS_DIFFER_MS = 60 * 60_000;

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

/** The messages of a day. */
export interface Day {
  /** Stable when earlier messages of the day load. */
  key: string;
  /** ISO 8601: when its first message was written. */
  at: string;
  rows: Row[];
}

/** Groups messages, first to last, by days. Their order stays, even where dates contradict it. */
export function daysOf(messages: readonly ShownMessage[], firstNewId: string | null): Day[] {
  const days: Day[] = [];
  for (const [i, message] of messages.entries()) {
    const before = messages[i - 1];
    const time = Date.parse(message.at);
    const number = dayNumber(time);
    let day = days.at(-1);
    const shown = day && dayNumber(Date.parse(day.at));
    const isNewDay = number !== shown && dayNumber(time + CLOCKS_DIFFER_MS) !== shown;
    if (!day || isNewDay) {
      // With a wrong clock, a day may occur more than once.
      const times = days.filter(({ key }) => key.startsWith(`${number}.`)).length;
      day = { key: `${number}.${times}`, at: message.at, rows: [] };
      days.push(day);
    }
    // With a wrong clock, the later message may have an earlier time.
    const hasStamp = !before || Math.abs(time - Date.parse(before.at)) > STAMP_GAP_MS;
    const isFirstNew = message.id === firstNewId;
    const isContinued = !hasStamp && !isNewDay && !isFirstNew && before?.isOwn === message.isOwn;
    const isOffDay = !isNewDay && number !== shown;
    day.rows.push({ message, hasStamp, isOffDay, isContinued, isFirstNew });
  }
  return days;
}
