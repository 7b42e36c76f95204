import { z } from 'zod';
import { DAY_MS } from '#shared/time.ts';
import { UNSENT_CHANGES } from '../storage-keys.ts';
import { readStorage, writeStorage } from '../web-storage.ts';

// Separate from the changes themselves (`sync/documents/unsent-changes.ts`), because the sign-in screen and the dashboard show this.

/** Days after which unsent changes of an ended session are removed. */
export const UNSENT_DAYS = 7;

const unsentCount = z.object({
  changes: z.number(),
  pictures: z.number(),
  sounds: z.number(),
  actions: z.number(),
});
/** Number of unsent items, as the sync chip counts them. */
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

/** Returns the summaries of sessions that ended with unsent changes. */
export function readSummaries(): UnsentSummary[] {
  return readStorage(summaries, UNSENT_CHANGES) ?? [];
}

/** @throws when the browser doesn't store them: what nothing announces would never be found */
export function writeSummaries(all: readonly UnsentSummary[]): void {
  if (!writeStorage(UNSENT_CHANGES, all.length > 0 ? all : null))
    throw new Error('The browser does not store what announces unsent changes');
}

/** Whether unsent changes have expired. */
export const isOver = ({ at }: Pick<UnsentSummary, 'at'>, now: number): boolean =>
  now - at > UNSENT_DAYS * DAY_MS;

/** Returns the unsent items of the user who was signed in last; null if there are none. */
export function waitingForSignIn(now = Date.now()): UnsentCount | null {
  const [newest] = readSummaries()
    .filter((each) => !isOver(each, now))
    .toSorted((a, b) => b.at - a.at);
  return newest?.count ?? null;
}

/** Returns a user's unsent items; null if there are none. */
export const waitingFor = (userId: string): UnsentCount | null =>
  readSummaries().find(({ user_id }) => user_id === userId)?.count ?? null;
