import type { Db } from 'mongodb';
import { readMuted, readPushSettings, type PushChoices } from '#shared/push/document.ts';
import type { CardRow, UserRow } from '#shared/server/collections.ts';
import { readTogether } from '../read-together.ts';
import type { Documents } from '../sync-server-client.ts';

/**
 * Returns how to read what a user chose about pushes (decision 70): from the row of their card, which the sync server writes with each
 * change, or else from their account. A sync server of an earlier version leaves the choices in the row behind, which a later one makes up for
 * when it opens the account.
 */
export function createChoices(
  db: Db,
  documents: Pick<Documents, 'read'>,
): (userId: string) => Promise<(user: UserRow) => Promise<PushChoices>> {
  const cards = db.collection<CardRow>('cards');
  const rows = readTogether(db, cards, undefined, {
    push: 1,
    push_operations: 1,
    sharing_operations: 1,
  });
  return async (userId) => {
    const { push, push_operations = -1, sharing_operations = 0 } = (await rows(userId)) ?? {};
    return async (user) => {
      if (push && push_operations >= sharing_operations)
        return { ...push, muted: new Set(push.muted) };
      const account = user.documents_ready ? await documents.read(user.documents.account) : null;
      return { ...readPushSettings(account), muted: readMuted(account) };
    };
  };
}
