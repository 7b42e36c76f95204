import type { Db } from 'mongodb';
import type { Activity } from '#shared/push/contract.ts';
import { USUAL_PUSH_SETTINGS } from '#shared/push/document.ts';
import { ACTIVITY_LISTED } from '#shared/push/rules.ts';
import { hashText } from '../hash.ts';
import { findTogether } from '../read-together.ts';
import { activities, type ActivityRow, type PushMessage } from './collections.ts';
import type { Compose, PushNotice } from './notice.ts';
import { isListed } from './topics.ts';

/** The reader is signed in: unlike on a lock screen, texts have names. */
const SETTINGS = Promise.resolve({
  ...USUAL_PUSH_SETTINGS,
  push_preview: 'text',
  muted: new Set<string>(),
} as const);

/** Stores what users are told, so that they find it in the app (decision 70). May be repeated. */
export async function noteActivities(
  db: Db,
  notices: readonly PushNotice[],
  at: Date,
): Promise<void> {
  const writes = notices
    .filter(({ topic }) => isListed(topic))
    .map(({ user_id, topic, subject, key }) => ({
      updateOne: {
        filter: { _id: hashText(`${user_id} ${key}`) },
        update: { $setOnInsert: { user_id, topic, subject, at, is_read: false } },
        upsert: true,
      },
    }));
  if (writes.length > 0) await activities(db).bulkWrite(writes, { ordered: false });
}

/** Returns what a user was told, the latest first, without what is over. */
export async function listActivities(
  services: Parameters<Compose>[0],
  compose: Compose,
  user_id: string,
): Promise<Activity[]> {
  const rows = await findTogether(services.db, activities(services.db), () => ({
    filter: { user_id },
    sort: { at: -1 },
    limit: ACTIVITY_LISTED,
  }));
  const all = await Promise.all(
    rows.map(async (row) => {
      const content = await compose(services, messageOf(row), SETTINGS);
      if (!content) return [];
      const { kind, title, body, path } = content;
      const { _id: id, topic, is_read } = row;
      return [{ id, kind, topic, title, body, path, told_at: row.at.toISOString(), is_read }];
    }),
  );
  return all.flat();
}

const messageOf = ({ _id, user_id, topic, subject, at }: ActivityRow): PushMessage => ({
  channel: 'push',
  unsolicited: false,
  topic,
  user_id,
  subscription_id: '',
  subject,
  tag: _id,
  expires_at: at,
});
