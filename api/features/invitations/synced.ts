import type { ChangeInput } from '#shared/document-kinds.ts';
import { forEachIsolated } from '../../platform/for-each-isolated.ts';
import type { Posts } from '../../platform/mail-queue/mail-queue.ts';
import { deliveryOf } from '../../platform/mail-queue/messages.ts';
import type { Services } from '../../platform/services.ts';
import { findUser } from '../../platform/session/collections.ts';
import { changeDocumentOf, ensureDocuments } from '../../platform/user-documents.ts';
import { endAdmission } from '../referrals/admission.ts';
import { type SearchInvitationRow, searchInvitations } from './collections.ts';

/** The background job that finishes interrupted changes. */
export const INVITATIONS_JOB = 'search invitations';

/**
 * Adds an invitation to its creator's contacts document, or marks it as used there. If that fails, a background job does it.
 */
export async function syncInvitation(
  services: Services,
  posts: Posts,
  row: SearchInvitationRow,
): Promise<void> {
  try {
    await write(services, posts, row);
  } catch (err) {
    services.log.warn({ err, invitation: row._id }, 'an invitation will be synced later');
    services.runJobSoon(INVITATIONS_JOB);
  }
}

/** Writes the invitations that documents lack: changes that were interrupted, and rows from before documents had them. */
export const syncInvitations = async (services: Services, posts: Posts): Promise<void> =>
  forEachIsolated(searchInvitations(services.db).find({ is_projected: null }), (row) =>
    write(services, posts, row),
  );

/** Returns an invitation for its creator's contacts document. */
export const invitationEntry = (
  row: SearchInvitationRow,
  is_emailed: boolean,
): ChangeInput<'contacts', 'invitation.set'> => ({
  id: row._id,
  code: row.code,
  created_at: row.created_at.toISOString(),
  expires_at: row.expires_at.toISOString(),
  is_used: row.used_at !== null,
  is_emailed,
});

async function write(services: Services, posts: Posts, row: SearchInvitationRow): Promise<void> {
  const { db } = services;
  const { _id: id, used_at } = row;
  const user = await findUser(db, row.inviter_user_id);
  if (user) {
    await ensureDocuments(services, user);
    const delivery = deliveryOf(row, (await posts.statusOf([id])).get(id));
    const entry = invitationEntry(row, delivery !== null);
    await changeDocumentOf(services, user, {
      kind: 'contacts',
      name: 'invitation.set',
      input: entry,
    });
  }
  // Unless it was used in the meantime.
  await searchInvitations(db).updateOne({ _id: id, used_at }, { $set: { is_projected: true } });
}

/** Removes invitations from the documents and then from the database. @param due served by an index */
export const removeInvitations = (
  services: Services,
  due: { expires_at: { $lt: Date } },
): Promise<void> =>
  forEachIsolated(searchInvitations(services.db).find(due), (row) => remove(services, row));

async function remove(services: Services, row: SearchInvitationRow): Promise<void> {
  const { _id: id, inviter_user_id } = row;
  const user = await findUser(services.db, inviter_user_id);
  if (user?.documents_ready)
    await changeDocumentOf(services, user, {
      kind: 'contacts',
      name: 'invitation.remove',
      input: { id },
    });
  await searchInvitations(services.db).deleteOne({ _id: id });
}

/** Ends an invitation at once, and removes it, now or by the background job. @returns whether there was one */
export async function revoke(services: Services, id: string, inviter: string): Promise<boolean> {
  const ended = await searchInvitations(services.db).findOneAndUpdate(
    { _id: id, inviter_user_id: inviter },
    { $set: { expires_at: new Date(0), is_projected: true } },
  );
  if (!ended) return false;
  await endAdmission(services.db, id);
  await remove(services, ended);
  return true;
}
