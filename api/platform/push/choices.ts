import type { Db } from 'mongodb';
import {
  readMuted,
  readPushSettings,
  storedPushChoices,
  type PushChoices,
} from '#shared/push/document.ts';
import type { CardRow, UserRow } from '#shared/server/collections.ts';
import { readTogether } from '../read-together.ts';
import type { Documents } from '../sync-server-client.ts';

/**
 * Returns how to read what a user chose about pushes (decision 70): from the row of their card, which the sync server writes with each
 * change, or else from their account.
 */
export function createChoices(
  db: Db,
  documents: Pick<Documents, 'read'>,
): (user: UserRow) => Promise<PushChoices> {
  const cards = db.collection<CardRow>('cards');
  const rows = readTogether(cards, undefined, { push: 1 });
  return async (user) => {
    const { push } = (await rows(user._id)) ?? {};
    if (push) return { ...push, muted: new Set(push.muted) };
    const account = user.documents_ready ? await documents.read(user.documents.account) : null;
    // The sync server has written none since an earlier version; what it writes later replaces this.
    if (push === undefined && account)
      await cards.updateOne(
        { _id: user._id, push: { $exists: false } },
        { $set: { push: storedPushChoices(account) } },
      );
    return { ...readPushSettings(account), muted: readMuted(account) };
  };
}
