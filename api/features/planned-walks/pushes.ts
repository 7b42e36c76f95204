import type { Db } from 'mongodb';
import { nameWithNote, titleWithNote } from '#shared/friends/lookalikes.ts';
import type { PlannedWalk } from '#shared/planned-walks/contract.ts';
import { noticeText, plannedWalkPath } from '#shared/planned-walks/rules.ts';
import type { PushSettings } from '#shared/push/document.ts';
import { MINUTE_MS } from '#shared/time.ts';
import type { PushMessage } from '../../platform/push/collections.ts';
import type { PushComposers } from '../../platform/push/compose.ts';
import { findOneTogether } from '../../platform/read-together.ts';
import { lookalikesFor } from '../relationships/lookalike-names.ts';
import { plannedWalks } from './collections.ts';
import { presentVisible } from './store.ts';

type Settings = Promise<Pick<PushSettings, 'push_preview'>>;
type Subject = Pick<PushMessage, 'topic' | 'subject' | 'user_id'>;

/** Returns a walk as its reader may see it now; null if it is over, or they may not see it any more. */
async function walkSeen(db: Db, id: string, userId: string): Promise<PlannedWalk | null> {
  const ahead = { _id: id, starts_at: { $gt: new Date() } };
  const row = await findOneTogether(db, plannedWalks(db), ahead);
  const isConcerned =
    row?.organizer_user_id === userId ||
    row?.participants.some(({ user_id }) => user_id === userId);
  return (row && isConcerned && (await presentVisible(db, [row], userId))[0]) || null;
}

/** The text of an invitation, a change or an answer. @returns null if it is no longer true */
async function composeNotice(db: Db, message: Subject, settings: Settings) {
  const [id = '', from] = message.subject.split(' ');
  const [walk, { push_preview: preview }] = await Promise.all([
    walkSeen(db, id, message.user_id),
    settings,
  ]);
  if (!walk) return null;
  const answered = walk.participants.find(({ user_id }) => user_id === from);
  const isInvitation = message.topic === 'walk_invitation';
  // The participant took it back, or isn't a friend any more; or there is nothing left to answer.
  if (message.topic === 'walk_answer' ? !answered?.answer : isInvitation && walk.is_canceled)
    return null;
  const title = 'Planned walk';
  const path = plannedWalkPath(walk.id);
  if (preview === 'nothing') return { title, body: '', path };
  const who = answered?.answer ? answered : walk.organizer;
  const name = nameWithNote(
    who.name,
    (await lookalikesFor(db, message.user_id))(who.user_id, who.name),
  );
  const isOff = walk.is_canceled ? 'canceled' : 'changed';
  const body = noticeText(answered?.answer ?? (isInvitation ? 'invited' : isOff), name);
  return { title, body: preview === 'text' ? `${body} ${walk.place_name}` : body, path };
}

/** The text of a reminder. @returns null if the walk was canceled or has started, or the reader isn't coming any more */
async function composeReminder(db: Db, { subject, user_id }: Subject, settings: Settings) {
  const [walk, { push_preview: preview }] = await Promise.all([
    walkSeen(db, subject, user_id),
    settings,
  ]);
  if (!walk || walk.is_canceled) return null;
  if (!walk.is_own && (walk.own_answer ?? 'no') === 'no') return null;
  const minutes = Math.max(1, Math.round((Date.parse(walk.starts_at) - Date.now()) / MINUTE_MS));
  const title = `Your walk starts in ${minutes === 1 ? '1 minute' : `${minutes} minutes`}`;
  const path = plannedWalkPath(walk.id);
  if (preview === 'nothing') return { title, body: '', path };
  const coming = walk.participants.filter(({ answer }) => answer === 'yes');
  const lookalikeOf = await lookalikesFor(db, user_id);
  const people = walk.is_own ? coming : [walk.organizer];
  const names = people.map((each) =>
    titleWithNote(each.name, lookalikeOf(each.user_id, each.name)),
  );
  const company = names.length > 0 ? `With ${names.join(', ')}` : '';
  const parts = preview === 'text' ? [company, walk.place_name] : [company];
  return { title, body: parts.filter((part) => part !== '').join(' · '), path };
}

/** The texts of planned walks. */
export const plannedWalkPushes: PushComposers = {
  walk_invitation: ({ db }, message, settings) => composeNotice(db, message, settings),
  walk_change: ({ db }, message, settings) => composeNotice(db, message, settings),
  walk_answer: ({ db }, message, settings) => composeNotice(db, message, settings),
  walk_reminder: ({ db }, message, settings) => composeReminder(db, message, settings),
};
