import type { Db } from 'mongodb';
import { isSevere } from '#shared/alerts/rules.ts';
import { nameWithNote, titleWithNote } from '#shared/friends/lookalikes.ts';
import { splitMessageId } from '#shared/chat/document.ts';
import { previewOf } from '#shared/chat/rules.ts';
import type { MessageRow } from '#shared/server/collections.ts';
import type { PushContent } from '#shared/push/contract.ts';
import type { PushChoices } from '#shared/push/document.ts';
import { STALE_SECONDS } from '#shared/proximity/rules.ts';
import { formatDate } from '#shared/dates.ts';
import { isUrgent } from '../platform/push/topics.ts';
import { accessCodeUses } from '../features/access-gate/collections.ts';
import { acknowledgements } from '../features/alerts/collections.ts';
import { acknowledgementId, alertOf, eventIdOf, present } from '../features/alerts/store.ts';
import { messages, threads } from '../features/chat/collections.ts';
import type { Env } from '../platform/env.ts';
import { pairs } from '../features/friends/collections.ts';
import { lookalikesFor } from '../features/friends/lookalike-names.ts';
import { otherOf, pairId, viewOf } from '../features/friends/relationship.ts';
import { namesSeenBy } from '../features/friends/relationship-store.ts';
import { HAZARD_NAMES } from '#shared/hazards/rules.ts';
import { hazards } from '../features/hazards/collections.ts';
import { currentHazards, shownContent } from '../features/hazards/store.ts';
import { placeOf } from '../features/locations/store.ts';
import { composeNotice, composeReminder } from '../features/planned-walks/compose-push.ts';
import { messageReports, userWarnings } from '../features/moderation/collections.ts';
import { cards } from '../features/profile/collections.ts';
import { namesOf } from '../features/profile/names.ts';
import { findUser } from '../platform/session/collections.ts';
import { referrals } from '../features/referrals/collections.ts';
import { positions } from '../features/proximity/collections.ts';
import { KIND_OF, type PushMessage, type PushTopic } from '../platform/push/collections.ts';

/** The text of a notification. */
type Wording = Pick<PushContent, 'title' | 'body' | 'path' | 'silent_since'>;
interface Composing {
  db: Db;
  env: Pick<Env, 'PRODUCT_NAME'>;
}

const TEXT_MAX = 160;

/**
 * Composes what a device shows, from what is true now.
 * @returns null if there is no reason for it any more: it was read, removed or answered, or the two are no longer friends
 */
export async function composePush(
  services: Composing,
  message: PushMessage,
  settings: PushChoices,
): Promise<PushContent | null> {
  const wording = await COMPOSERS[message.topic](services, message, settings);
  if (!wording) return null;
  const is_urgent = isUrgent(message.topic);
  return { kind: KIND_OF[message.topic], tag: message.tag, is_urgent, ...wording };
}

type Composer = (
  services: Composing,
  message: PushMessage,
  settings: PushChoices,
) => Promise<Wording | null>;

/** A person's name in a sentence, with a note if it looks like that of one of the reader's friends. */
const noted = async (db: Db, reader: string, userId: string, name: string): Promise<string> =>
  nameWithNote(name, (await lookalikesFor(db, reader))(userId, name));

/** Returns a message, also if an edit has taken its place, or is about to (decision 395). */
async function messageNow(db: Db, id: string, reader: string): Promise<MessageRow | null> {
  const row =
    (await messages(db).findOne({ _id: id })) ?? (await messages(db).findOne({ former_ids: id }));
  if (row && !row.removal_began_at) return row;
  const theirs = await threads(db)
    .find({ users: reader, is_live: true }, { projection: { _id: 1 } })
    .toArray();
  return messages(db).findOne({
    thread_id: { $in: theirs.map(({ _id }) => _id) },
    receiver_user_id: reader,
    is_read: false,
    'edited.first': splitMessageId(id).key,
    removal_began_at: { $exists: false },
  });
}

/** Returns who sent or answered a friend request, and how a user sees them, who may not see a block yet (decision 320). */
async function requestSeen(db: Db, id: string, userId: string) {
  const pair =
    (await pairs(db).findOne({ 'request.id': id, users: userId })) ??
    (await pairs(db).findOne({
      users: userId,
      relationship: 'blocked',
      'earlier_view.user_id': userId,
      'earlier_view.request.id': id,
    }));
  if (!pair) return null;
  const other = otherOf(pair, userId);
  const name = (await namesSeenBy(db, userId, [other])).get(other);
  // The account has been deleted.
  if (name === undefined) return null;
  return { other, name, relationship: viewOf(pair, userId).relationship };
}

const COMPOSERS: Record<PushTopic, Composer> = {
  async message({ db }, { subject, user_id }, { push_preview, muted }) {
    const row = await messageNow(db, subject, user_id);
    if (!row || row.receiver_user_id !== user_id || row.is_read || row.is_hidden) return null;
    const friend = row.sender_user_id;
    if (muted.has(friend)) return null;
    const pair = await pairs(db).findOne({ _id: pairId(user_id, friend) });
    if (pair?.relationship !== 'friends') return null;
    const path = `/chat/${friend}`;
    const name = (await namesOf(db, [friend])).get(friend);
    // The account has been deleted.
    if (name === undefined) return null;
    if (push_preview === 'nothing') return { title: 'New message', body: '', path: '/social' };
    const title = titleWithNote(name, (await lookalikesFor(db, user_id))(friend, name));
    if (push_preview === 'name') return { title, body: 'New message', path };
    return { title, body: previewOf(row.text, TEXT_MAX), path };
  },

  async friend_request({ db }, { subject, user_id }, { push_preview }) {
    const seen = await requestSeen(db, subject, user_id);
    if (seen?.relationship !== 'received') return null;
    const path = '/social';
    if (push_preview === 'nothing') return { title: 'New friend request', body: '', path };
    const who = await noted(db, user_id, seen.other, seen.name);
    return { title: 'New friend request', body: `${who} would like to be friends.`, path };
  },

  async friend_answer({ db }, { subject, user_id }, { push_preview }) {
    const seen = await requestSeen(db, subject, user_id);
    if (seen?.relationship !== 'friends') return null;
    const title = 'Friend request accepted';
    if (push_preview === 'nothing') return { title, body: '', path: '/social' };
    const who = await noted(db, user_id, seen.other, seen.name);
    return { title, body: `You and ${who} are now friends.`, path: `/chat/${seen.other}` };
  },

  async alert({ db }, { subject, user_id }) {
    const row = await alertOf(db, subject);
    if (!row || !isSevere(row)) return null;
    const acknowledgement = await acknowledgements(db).findOne({
      _id: acknowledgementId(user_id, eventIdOf(row)),
    });
    if (present(row, user_id, acknowledgement ?? undefined).is_acknowledged) return null;
    return { title: row.title, body: previewOf(row.description, TEXT_MAX), path: '/home' };
  },

  async hazard({ db }, { subject }) {
    const row = await hazards(db).findOne({ _id: subject, ...currentHazards() });
    if (!row) return null;
    const { latitude, longitude } = placeOf(row);
    return {
      title: `Nearby: ${HAZARD_NAMES[row.kind]}`,
      body: previewOf(shownContent(row).description, TEXT_MAX),
      path: `/locations?latitude=${latitude.toFixed(3)}&longitude=${longitude.toFixed(3)}&hazard=${row._id}`,
    };
  },

  // No details: others may see the lock screen.
  async moderation({ db }, { subject, user_id }) {
    const row = await userWarnings(db).findOne({ _id: subject, user_id });
    if (!row || row.acknowledged_at) return null;
    return {
      title: 'News about your account',
      body: 'Tap to read it.',
      path: '/home?open=warning',
    };
  },

  // Whether it breaks the guidelines, but not what was done: that is not the reporter's business.
  async report({ db }, { subject, user_id }) {
    const row = await messageReports(db).findOne({ _id: subject, reporter_user_id: user_id });
    if (row?.status !== 'resolved' && row?.status !== 'dismissed') return null;
    return {
      title: 'Your report was reviewed',
      body:
        row.status === 'resolved'
          ? 'You were right: it breaks our community guidelines. Thank you for telling us.'
          : 'Thank you. We didn’t find that it breaks our guidelines.',
      path: '/home?open=activity',
    };
  },

  async invitation({ db }, { subject, user_id }, { push_preview }) {
    const referral = await referrals(db).findOne({ _id: subject, referrer_user_id: user_id });
    const use = referral?.use_id && (await accessCodeUses(db).findOne({ _id: referral.use_id }));
    if (!use || !use.user_id) return null;
    const name = (await namesSeenBy(db, user_id, [use.user_id])).get(use.user_id);
    if (name === undefined) return null;
    const title = 'Your invitation was used';
    const path = '/home?open=refer-friends';
    if (push_preview === 'nothing') return { title, body: '', path };
    const who = await noted(db, user_id, use.user_id, name);
    return { title, body: `${who} joined with your invitation.`, path };
  },

  async access({ db, env }, { subject, user_id }) {
    const user = await findUser(db, user_id);
    // Renewed or revoked in the meantime.
    if (!user?.access_expires_at || user.access_expires_at.toISOString() !== subject) return null;
    return {
      title: `Your access ends on ${formatDate(subject)}`,
      body: `Renew it in ${env.PRODUCT_NAME} with a code or a donation.`,
      path: '/home?open=renew-access',
    };
  },

  walk_invitation: ({ db }, message, { push_preview }) => composeNotice(db, message, push_preview),
  walk_change: ({ db }, message, { push_preview }) => composeNotice(db, message, push_preview),
  walk_answer: ({ db }, message, { push_preview }) => composeNotice(db, message, push_preview),
  walk_reminder: ({ db }, message, { push_preview }) => composeReminder(db, message, push_preview),

  async walk({ db, env }, { subject, user_id }) {
    const silentSince = Number(subject);
    const row = await positions(db).findOne({ _id: user_id });
    if (row && row.at.getTime() > silentSince) return null;
    // A position that was removed before it was stale: the walk was ended, in the app or by a sign-out.
    if (!row && Date.now() - silentSince < STALE_SECONDS * 1000) return null;
    if (!row && !(await cards(db).findOne({ _id: user_id }))?.is_location_sharing_enabled)
      return null;
    return {
      title: env.PRODUCT_NAME,
      body: `Your walk is no longer protected. Open ${env.PRODUCT_NAME}.`,
      path: '/home',
      silent_since: silentSince,
    };
  },
};
