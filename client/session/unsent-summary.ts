import { z } from 'zod';
import { DAY_MS } from '#shared/time.ts';
import { UNSENT_CHANGES } from '../storage-keys.ts';

// Apart from the changes themselves (`sync/unsent-changes.ts`), because the sign-in screen and the dashboard's frame show this.

/** Unsent changes are removed so long after their session ended. */
export const UNSENT_DAYS = 7;

const unsentCount = z.object({
  changes: z.number(),
  pictures: z.number(),
  sounds: z.number(),
  actions: z.number(),
});
/** How much waits, as the sync chip counts it. */
export type UnsentCount = z.infer<typeof unsentCount>;

const summaries = z.array(
  z.object({
    user_id: z.string(),
    /** When the session ended, in ms by this device's clock. */
    at: z.number(),
    count: unsentCount,
  }),
);
export type UnsentSummary = z.infer<typeof summaries>[number];

/** What is stored of each session that ended with unsent changes. */
export function readSummaries(): UnsentSummary[] {
  try {
    return summaries.parse(JSON.parse(localStorage.getItem(UNSENT_CHANGES) ?? '[]'));
  } catch {
    return [];
  }
}

export function writeSummaries(all: readonly UnsentSummary[]): void {
  try {
    if (all.length > 0) localStorage.setItem(UNSENT_CHANGES, JSON.stringify(all));
    else localStorage.removeItem(UNSENT_CHANGES);
  } catch {
    console.warn('Storage is unavailable: unsent changes can’t be announced.');
  }
}

/** Whether unsent changes are too old to be kept. */
export const isOver = ({ at }: Pick<UnsentSummary, 'at'>, now: number): boolean =>
  now - at > UNSENT_DAYS * DAY_MS;

/** What waits on this device for whoever was signed in last; null when nothing does. */
export function waitingForSignIn(now = Date.now()): UnsentCount | null {
  const [newest] = readSummaries()
    .filter((each) => !isOver(each, now))
    .toSorted((a, b) => b.at - a.at);
  return newest?.count ?? null;
}

/** What waits on this device for one user; null when nothing does. */
export const waitingFor = (userId: string): UnsentCount | null =>
  readSummaries().find(({ user_id }) => user_id === userId)?.count ?? null;
