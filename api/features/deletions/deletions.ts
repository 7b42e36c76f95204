import { DAY_MS } from '#shared/time.ts';
import { forEachIsolated } from '../../platform/for-each-isolated.ts';
import { deleteDue } from '../../platform/retention.ts';
import { type Api, offered, type Offers, type Services } from '../../platform/services.ts';
import { NOT_DELETED, users } from '../../platform/session/collections.ts';
import { ensureDocuments } from '../../platform/user-documents.ts';
import { deletions } from './collections.ts';

/** Backups must not be stored longer: older ones would bring deleted data back. */
const DELETIONS_STORED_DAYS = 90;

/** Removes again the messages that a restored backup brought back. The restore has hidden them. */
async function repeatRemovals(
  { db }: Services,
  removeMessage: Offers['removeMessage'],
): Promise<void> {
  const due = deletions(db).find({ restored_message_id: { $exists: true } });
  await forEachIsolated(due, async ({ _id, restored_message_id = '' }) => {
    await removeMessage(restored_message_id);
    await deletions(db).updateOne({ _id }, { $unset: { restored_message_id: 1 } });
  });
}

/** Creates the documents of accounts that are newer than the restored backup: their devices send what they have. */
async function createLostDocuments(services: Services): Promise<void> {
  const due = users(services.db).find({ documents_ready: false, ...NOT_DELETED });
  await forEachIsolated(due, (user) => ensureDocuments(services, user));
}

/** Repeats deletions after a restore, and forgets those that no backup can bring back. */
export function mountDeletions(api: Api): void {
  const { services } = api;
  const removeMessage = offered(api, 'removeMessage');
  services.registerJob('restored messages', () => repeatRemovals(services, removeMessage));
  services.registerJob('lost documents', () => createLostDocuments(services));
  services.registerJob('deletions', () =>
    deleteDue(deletions(services.db), {
      at: { $lt: new Date(Date.now() - DELETIONS_STORED_DAYS * DAY_MS) },
      restored_message_id: { $exists: false },
    }),
  );
}
