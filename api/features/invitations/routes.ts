import {
  CODE_UNKNOWN,
  createInvitation,
  listInvitations,
  resendInvitation,
  revokeInvitation,
  searchUsers,
  type SearchInvitation,
} from '#shared/invitations/contract.ts';
import { INVITATIONS_LISTED } from '#shared/invitations/rules.ts';
import { DAY_MS, DAY_SECONDS, HOUR_SECONDS } from '#shared/time.ts';
import { HttpError, notFound } from '../../platform/http/http-error.ts';
import { serve } from '../../platform/http/mount-endpoint.ts';
import { addressOf, networkOf } from '../../platform/http/request-origin.ts';
import { addressId, deliveryOf } from '../../platform/outbox/messages.ts';
import { clearDue } from '../../platform/retention.ts';
import type { Api } from '../../platform/services.ts';
import { namesOf } from '../profile/names.ts';
import { storeInvitation, useCode } from './codes.ts';
import { type SearchInvitationRow, searchInvitations } from './collections.ts';
import { findPeople } from './find-people.ts';
import { searchInvitationEmail } from './invitation-email.ts';
import { invitationData } from './personal-data.ts';
import {
  INVITATIONS_SWEEP,
  removeInvitations,
  revoke,
  syncInvitation,
  syncInvitations,
} from './synced.ts';

/** How long an expired invitation stays on the list. */
const RETENTION_MS = 90 * DAY_MS;

const OWN_CODE = 'You can’t use your own search code';

/** Searching for members, and the invitations that a search requires. */
export function mountInvitations(api: Api): void {
  const { services } = api;
  const { env, db, outbox, limiter } = services;
  const posts = outbox.from('search_invitations');
  services.personalData.add(invitationData(db, posts));
  services.sweep(INVITATIONS_SWEEP, async () => {
    const before = { $lt: new Date(Date.now() - RETENTION_MS) };
    await removeInvitations(services, { expires_at: before });
    // The address is not needed once the invitation was used, or was unused for long.
    const addressed = { invited_email: { $gt: '' } };
    const cleared = { $set: { invited_email: null } };
    await clearDue(searchInvitations(db), { ...addressed, used_at: { $type: 'date' } }, cleared);
    await clearDue(searchInvitations(db), { ...addressed, created_at: before }, cleared);
    await syncInvitations(services, posts);
  });
  const limit = (name: string, points: number, seconds: number) =>
    limiter({ name, points, seconds, shared: true });
  // Counts wrong codes only, to prevent guessing.
  const limitGuesses = limit('invitation-guesses', 10, HOUR_SECONDS);
  const limitNetwork = limit('invitation-guesses-network', 50, HOUR_SECONDS);
  // Counts searches, so that a code does not list all members.
  const limitSearches = limiter({ name: 'user-searches', points: 30, seconds: 300 });
  // Counts found members, because a short search term finds many.
  const limitFound = limit('users-found', 400, DAY_SECONDS);
  const limitPerson = limit('search-invitations', 20, DAY_SECONDS);
  const limitRecipient = limit('search-invitations-recipient', 3, 30 * DAY_SECONDS);

  serve(api, searchUsers, async ({ body, caller: { user }, ctx }) => {
    const network = networkOf(addressOf(ctx));
    await limitGuesses.check(user._id);
    await limitNetwork.check(network);
    await limitSearches(user._id);
    const use = await useCode(db, body.invitation_code, user._id, (row) =>
      syncInvitation(services, posts, row),
    );
    if (use !== 'used') {
      if (use === 'unknown') {
        await limitGuesses(user._id);
        await limitNetwork(network);
      }
      const message = use === 'own' ? OWN_CODE : CODE_UNKNOWN;
      throw new HttpError(400, message, {
        code: 'invalid_code',
        fields: { invitation_code: message },
      });
    }
    await limitFound.check(user._id);
    const found = await findPeople(db, user._id, body.query);
    await limitFound.admits(user._id, Math.max(1, found.users.length));
    return found;
  });

  serve(api, listInvitations, async ({ caller: { user } }) => {
    const rows = await searchInvitations(db)
      .find({ inviter_user_id: user._id })
      .sort({ created_at: -1, _id: 1 })
      .limit(INVITATIONS_LISTED)
      .toArray();
    const statuses = await posts.statusOf(rows.map(({ _id }) => _id));
    return {
      invitations: rows.map((row) => present(row, deliveryOf(row, statuses.get(row._id)))),
    };
  });

  /** Whether the code may be emailed to this address; otherwise the inviter shares it. */
  async function canEmail(to: string): Promise<boolean> {
    if (!outbox.canSend('email') || (await outbox.hasOptedOut('email', to))) return false;
    return limitRecipient.admits(addressId('email', to));
  }

  serve(api, revokeInvitation, async ({ params: { id }, caller: { user } }) => {
    await services.limitChanges(user._id);
    if (!(await revoke(services, id, user._id))) throw notFound('Invitation');
    return {};
  });

  serve(api, resendInvitation, async ({ params: { id }, caller: { user } }) => {
    await services.limitChanges(user._id);
    const active = { used_at: null, expires_at: { $gt: new Date() } };
    const mine = { _id: id, inviter_user_id: user._id, ...active };
    const row = await searchInvitations(db).findOne(mine);
    if (!row) throw notFound('Invitation');
    const { invited_email: to, code, expires_at, resent = 0 } = row;
    if (!to || row.post || !(await canEmail(to)))
      throw new HttpError(409, 'We can’t email this invitation again. Share its link instead.', {
        code: 'not_emailed',
      });
    const inviterName = (await namesOf(db, [user._id])).get(user._id) ?? user.given_name;
    const message = searchInvitationEmail(env, { to, inviterName, code, expiresAt: expires_at });
    const post = { message, at: new Date(), name: `again ${resent + 1}` };
    const again = await searchInvitations(db).findOneAndUpdate(
      { ...mine, ...(row.resent ? { resent } : { resent: { $exists: false } }) },
      { $set: { post, resent: resent + 1 } },
      { returnDocument: 'after' },
    );
    if (!again) throw notFound('Invitation');
    await posts.post(id);
    return { invitation: present(again, 'waiting') };
  });

  serve(api, createInvitation, async ({ body, caller: { user }, freshId }) => {
    const { invited_email: to, expires_in_days } = body;
    await limitPerson(addressId('email', user.email));
    const isEmailed = await canEmail(to);
    const inviterName = (await namesOf(db, [user._id])).get(user._id) ?? user.given_name;
    const created_at = new Date();
    const expires_at = new Date(created_at.getTime() + expires_in_days * DAY_MS);
    const _id = freshId();
    const row = await storeInvitation(db, (code) => ({
      _id,
      inviter_user_id: user._id,
      invited_email: to,
      code,
      used_at: null,
      used_by_user_id: null,
      expires_at,
      created_at,
      ...(isEmailed && {
        post: {
          message: searchInvitationEmail(env, { to, inviterName, code, expiresAt: expires_at }),
          at: created_at,
        },
      }),
    }));
    await posts.post(row._id);
    if (!row.is_projected) await syncInvitation(services, posts, row);
    return { invitation: present(row, isEmailed ? 'waiting' : null) };
  });
}

const present = (
  row: SearchInvitationRow,
  delivery: SearchInvitation['delivery'],
): SearchInvitation => ({
  ...row,
  id: row._id,
  invitation_code: row.code,
  is_used: row.used_at !== null,
  expires_at: row.expires_at.toISOString(),
  created_at: row.created_at.toISOString(),
  delivery,
});
