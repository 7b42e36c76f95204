import type { ShownMessage } from '../types.ts';
import { dayNumber } from './format-time.ts';

/** A time stamp stands where more than this lies between two messages. */
const STAMP_GAP_MS = 5 * 60_000;
/** So late in the evening a message stands under the next day where that has begun: clocks differ, days do not alternate. */
const CLOCKS_DIFFER_MS = 60 * 60_000;

export interface Row {
  message: ShownMessage;
  /** Whether the time stands above it. */
  hasStamp: boolean;
  /** Whether its own clock says another day than the one it stands under. */
  isOffDay: boolean;
  /** Whether the message above is by the same author and close to it. */
  isContinued: boolean;
  /** Whether what had not been read when the thread was opened begins here. */
  isFirstNew: boolean;
}

/** What stands under one day's name. */
export interface Day {
  /** Stays when earlier messages of the day come above it. */
  key: string;
  /** ISO 8601: when its first message was written. */
  at: string;
  rows: Row[];
}

/** Messages, first to last, by days, with what stands between them. The order is theirs, whatever their clocks say. */
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
      // With a clock that is wrong by days, a day comes more than once.
      const times = days.filter(({ key }) => key.startsWith(`${number}.`)).length;
      day = { key: `${number}.${times}`, at: message.at, rows: [] };
      days.push(day);
    }
    // A clock that is wrong may put the later message before: that is no gap of its own.
    const hasStamp = !before || Math.abs(time - Date.parse(before.at)) > STAMP_GAP_MS;
    const isFirstNew = message.id === firstNewId;
    const isContinued = !hasStamp && !isNewDay && !isFirstNew && before?.isOwn === message.isOwn;
    const isOffDay = !isNewDay && number !== shown;
    day.rows.push({ message, hasStamp, isOffDay, isContinued, isFirstNew });
  }
  return days;
}
