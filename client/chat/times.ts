const inWords = (options: Intl.DateTimeFormatOptions) => {
  const format = new Intl.DateTimeFormat(undefined, options);
  return (at: string) => format.format(Date.parse(at));
};

/** Such as 'Nov 21, 2026'. */
export const dayWords = inWords({ dateStyle: 'medium' });
/** Such as '10:42 AM'. */
const timeWords = inWords({ timeStyle: 'short' });
const dayAndTimeWords = inWords({ dateStyle: 'medium', timeStyle: 'short' });
const shortDayWords = inWords({ month: 'short', day: 'numeric' });

/** Which day it is here: with another, words for times are other words. */
export const today = (): string => new Date().toDateString();
const isToday = (at: string) => new Date(at).toDateString() === today();

/** When a message was written: the time of day, with the day where that is another. */
export const stampWords = (at: string): string =>
  isToday(at) ? timeWords(at) : dayAndTimeWords(at);

/** As `stampWords`, as short as a list wants it. */
export const briefWords = (at: string): string => (isToday(at) ? timeWords(at) : shortDayWords(at));
