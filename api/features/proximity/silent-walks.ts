import { forEachIsolated } from '../../platform/for-each-isolated.ts';
import type { Services } from '../../platform/services.ts';
import { positions } from './collections.ts';
import { minuteOf } from './storage/position-store.ts';

/**
 * Reports stopped this long ago: their owner is notified. They come at least every 30 s, and the push must arrive within two
 * minutes, also when another node takes over the background jobs.
 */
const SILENT_SECONDS = 100;
/** After a start of the API, phones first get the chance to report again: they try every ten seconds. */
const GRACE_MS = 12_000;

/** Also the tag of the app's own notification about it. */
const TAG = 'proximity-stopped';

/**
 * Creates a function that notifies owners by a push that their phone has stopped reporting during a walk, once per silence. A walk
 * that was ended has no position: the app removes it, also in quiet places (decision 310).
 */
export function createSilentWalks({ db, push }: Pick<Services, 'db' | 'push'>, graceMs = GRACE_MS) {
  const judgesFrom = performance.now() + graceMs;
  const rows = positions(db);
  return async (): Promise<void> => {
    const before = new Date(Date.now() - SILENT_SECONDS * 1000);
    const silent = rows.find({
      // Rows of earlier versions have no minute.
      $or: [{ minute: { $lte: minuteOf(before) } }, { minute: { $exists: false } }],
      at: { $lte: before },
      is_silent: { $exists: false },
    });
    await forEachIsolated(silent, async ({ _id: user_id, at }) => {
      const subject = String(at.getTime());
      // First: if this process ends in between, the next run repeats it under the same key.
      await push.notify({
        topic: 'walk',
        user_id,
        subject,
        key: `walk ${user_id} ${subject}`,
        tag: TAG,
        delayMs: Math.max(0, judgesFrom - performance.now()),
      });
      await rows.updateOne({ _id: user_id, at }, { $set: { is_silent: true } });
    });
  };
}
