/** What owners do, each with a rate per second. */
export const ACTIONS = ['reports', 'messages', 'pushes', 'opens', 'edits'] as const;
export type Action = (typeof ACTIONS)[number];
export type Rates = Record<Action, number>;

/** An owner's day: a walk of half an hour with a report each 5 s, and how often they write, are pushed, look and change something. */
const PER_DAY: Rates = { reports: 360, messages: 10, pushes: 5, opens: 20, edits: 3 };
/** The share of a day that is in its busiest hour. */
const BUSIEST_HOUR = 0.2;

export const REPORT_EVERY_SECONDS = 5;
/** The share of messages whose receiver has closed the app. */
const PUSHED = 0.1;

/** How often actions happen when there are this many reports and messages per second. Opens and edits go with the walks. */
export const ratesOf = (reports: number, messages: number): Rates => ({
  reports,
  messages: messages * (1 - PUSHED),
  pushes: messages * PUSHED,
  opens: (reports * PER_DAY.opens) / PER_DAY.reports,
  edits: (reports * PER_DAY.edits) / PER_DAY.reports,
});

/** Returns how often each action of so many owners happens per second in their busiest hour. */
export const busiestRates = (owners: number): Rates => {
  const rates = ACTIONS.map((each) => [each, (PER_DAY[each] * BUSIEST_HOUR * owners) / 3600]);
  return Object.fromEntries(rates) as Rates;
};
