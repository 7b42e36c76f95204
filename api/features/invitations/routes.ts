import type { Context } from 'koa';
import { HttpError, notFound } from '#shared/http/http-error.ts';
import {
  CODE_UNKNOWN,
  createInvitation,
  listInvitations,
  openInvitation,
  resendInvitation,
  revokeInvitation,
  searchUsers,
  type SearchInvitation,
} from '#shared/invitations/contract.ts';
import { INVITATIONS_LISTED } from '#shared/invitations/rules.ts';
import { DAY_MS, DAY_SECONDS, HOUR_SECONDS } from '#shared/time.ts';
import { serve } from '../../platform/http/mount-endpoint.ts';
import { addressOf, networkOf } from '../../platform/http/request-origin.ts';
import type { Posts } from '../../platform/mail-queue/mail-queue.ts';
import { addressId, deliveryOf } from '../../platform/mail-queue/messages.ts';
import { clearDue } from '../../platform/retention.ts';
import { offered, type Api, type Services } from '../../platform/services.ts';
import { namesOf } from '../profile/names.ts';
import { addAdmission } from '../referrals/admission.ts';
import { invitationCodes } from '../referrals/invitation-codes.ts';
import { storeInvitation, redeemSearchCode } from './codes.ts';
import { type SearchInvitationRow, searchInvitations } from './collections.ts';
import { findPeople, foundUsers } from './find-people.ts';
import { searchInvitationEmail } from './invitation-email.ts';
import { markJoined } from './mark-joined.ts';
import {
  INVITATIONS_JOB,
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
  const { env, db, mailQueue, limiter } = services;
  const posts = mailQueue.from('search_invitations');
  const admissions = invitationCodes(db);
  offered(api, 'whenEntered').add((userId) => markJoined(services, userId));
  services.registerJob(INVITATIONS_JOB, () => runInvitationsJob(services, posts));
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

  /** Redeems a code. @returns the id of who made it @throws HttpError */
  async function redeem(code: string, userId: string, ctx: Context): Promise<string> {
    const network = networkOf(addressOf(ctx));
    await limitGuesses.check(userId);
    await limitNetwork.check(network);
    await limitSearches(userId);
    const use = await redeemSearchCode(db, code, userId, (row) =>
      syncInvitation(services, posts, row),
    );
    if (typeof use === 'object') return use.inviterId;
    if (use === 'unknown') {
      await limitGuesses(userId);
      await limitNetwork(network);
    }
    const message = use === 'own' ? OWN_CODE : CODE_UNKNOWN;
    throw new HttpError(400, message, {
      code: 'invalid_code',
      fields: { invitation_code: message },
    });
  }

  serve(api, openInvitation, async ({ body, caller: { user }, ctx }) => {
    const inviterId = await redeem(body.invitation_code, user._id, ctx);
    const [inviter] = await foundUsers(db, user._id, [inviterId]);
    if (!inviter) throw notFound('Invitation');
    return { user: inviter };
  });

  serve(api, searchUsers, async ({ body, caller: { user }, ctx }) => {
    await redeem(body.invitation_code, user._id, ctx);
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
    const ids = rows.map(({ _id }) => _id);
    const [statuses, usable, { left, perMonth }] = await Promise.all([
      posts.statusOf(ids),
      admissions.usable(ids),
      admissions.allowance(user.email),
    ]);
    return {
      invitations: rows.map((row) =>
        present(row, deliveryOf(row, statuses.get(row._id)), usable.has(row._id)),
      ),
      codes_left: left,
      codes_per_month: perMonth,
    };
  });

  /** Whether the code may be emailed to this address; otherwise the inviter shares it. */
  async function canEmail(to: string): Promise<boolean> {
    if (!mailQueue.canSend('email') || (await mailQueue.hasOptedOut('email', to))) return false;
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
    const { invited_email: to, code, expires_at: expiresAt, resent = 0 } = row;
    if (!to || row.post || !(await canEmail(to)))
      throw new HttpError(409, 'We can’t email this invitation again. Share its link instead.', {
        code: 'not_emailed',
      });
    const inviterName = (await namesOf(db, [user._id])).get(user._id) ?? user.given_name;
    const admits = (await admissions.usable([id])).has(id);
    const message = searchInvitationEmail(env, { id, to, inviterName, code, admits, expiresAt });
    const post = { message, at: new Date(), name: `again ${resent + 1}` };
    const again = await searchInvitations(db).findOneAndUpdate(
      { ...mine, ...(row.resent ? { resent } : { resent: { $exists: false } }) },
      { $set: { post, resent: resent + 1 } },
      { returnDocument: 'after' },
    );
    if (!again) throw notFound('Invitation');
    await posts.post(id);
    return { invitation: present(again, 'waiting', admits) };
  });

  serve(api, createInvitation, async ({ body, caller: { user }, freshId }) => {
    const { invited_email: to = null, expires_in_days } = body;
    await limitPerson(addressId('email', user.email));
    const isEmailed = to !== null && (await canEmail(to));
    const inviterName = (await namesOf(db, [user._id])).get(user._id) ?? user.given_name;
    const created_at = new Date();
    const expires_at = new Date(created_at.getTime() + expires_in_days * DAY_MS);
    const _id = freshId();
    const admission = { id: _id, inviterName, isEmailed, expiresAt: expires_at };
    const admits = await addAdmission(db, user, admission);
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
          message: searchInvitationEmail(env, { ...admission, to, code, admits }),
          at: created_at,
        },
      }),
    }));
    await posts.post(row._id);
    if (!row.is_projected) await syncInvitation(services, posts, row);
    return { invitation: present(row, isEmailed ? 'waiting' : null, admits) };
  });
}

const present = (
  row: SearchInvitationRow,
  delivery: SearchInvitation['delivery'],
  admits: boolean,
): SearchInvitation => ({
  ...row,
  id: row._id,
  invitation_code: row.code,
  is_used: row.used_at !== null,
  expires_at: row.expires_at.toISOString(),
  created_at: row.created_at.toISOString(),
  delivery,
  admits,
});

async function runInvitationsJob(services: Services, posts: Posts): Promise<void> {
  const { db } = services;
  const before = { $lt: new Date(Date.now() - RETENTION_MS) };
  await removeInvitations(services, { expires_at: before });
  // The address is not needed once the invitation was used, or was unused for long.
  const addressed = { invited_email: { $gt: '' } };
  const cleared = { $set: { invited_email: null } };
  await clearDue(searchInvitations(db), { ...addressed, used_at: { $type: 'date' } }, cleared);
  await clearDue(searchInvitations(db), { ...addressed, created_at: before }, cleared);
  await syncInvitations(services, posts);
}
