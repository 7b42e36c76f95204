import type { Services } from '../../platform/services.ts';
import { invitationOf } from '../referrals/count-invited.ts';
import { searchInvitations } from './collections.ts';
import { syncInvitation } from './synced.ts';

/** Marks the invitation that brought a new user as used, so that its search code finds no one else. May be repeated. */
export async function markJoined(services: Services, userId: string): Promise<void> {
  const { db, mailQueue } = services;
  const _id = await invitationOf(db, userId);
  if (_id === null) return;
  const joined = await searchInvitations(db).findOneAndUpdate(
    { _id, used_at: null },
    { $set: { used_at: new Date(), used_by_user_id: userId }, $unset: { is_projected: '' } },
    { returnDocument: 'after' },
  );
  if (joined) await syncInvitation(services, mailQueue.from('search_invitations'), joined);
}
