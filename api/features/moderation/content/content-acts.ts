import type { ContentAct } from '#shared/moderation/admin-contract.ts';
import { hashText } from '../../../platform/hash.ts';
import type { Services } from '../../../platform/services.ts';
import { findUser } from '../../../platform/session/collections.ts';
import { changeDocumentOf } from '../../../platform/user-documents.ts';
import type { LogRow } from '../../content-rules/collections.ts';
import { logModeration } from '../../content-rules/log-moderation.ts';
import { removeRequestText } from '../../friends/relationship-store.ts';
import { locationPhotos } from '../../locations/collections.ts';
import { removePlannedWalk } from '../../planned-walks/notify.ts';
import { cards } from '../../profile/collections.ts';
import type { EvidenceRow } from '../collections.ts';
import { issueNotice } from '../sanctions.ts';
import { hideName, showName, notifyNameIsHidden } from './names.ts';

/**
 * Returns whether an action is about something in the report’s evidence; moderators can’t act on anything else.
 */
export function isOnEvidence(act: ContentAct, evidence: EvidenceRow | null): boolean {
  const { person, place_photo, friend_request, planned_walk } = evidence ?? {};
  switch (act.type) {
    case 'hide_name':
    case 'show_name':
      return (
        person?.display_name === act.name ||
        person?.about === act.name ||
        !!person?.dogs.some(({ name }) => name === act.name)
      );
    case 'remove_picture':
      return (
        person?.image_key === act.image_key ||
        place_photo?.image_key === act.image_key ||
        !!person?.dogs.some(({ image_key }) => image_key === act.image_key)
      );
    case 'delete_request_text':
      return friend_request?.id === act.request_id;
    case 'remove_planned_walk':
      return planned_walk?.id === act.planned_walk_id;
  }
}

/** Applies an action to a user’s content, notifies them, and logs it. May be repeated. */
export async function carryOutAct(
  services: Services,
  userId: string,
  act: ContentAct,
  by: Pick<LogRow, 'moderation_type' | 'admin_user_id'>,
): Promise<void> {
  switch (act.type) {
    case 'hide_name':
      await hideName(services, userId, act.name);
      await notifyNameIsHidden(services, userId, act.name, by.admin_user_id);
      break;
    case 'show_name':
      await showName(services, userId, act.name);
      return;
    case 'remove_picture':
      await removePicture(services, userId, act.image_key);
      await notifyOwner(services, userId, {
        subject: act.image_key,
        sentence: 'We removed one of your photos.',
        decided_by: by.admin_user_id,
      });
      break;
    case 'delete_request_text':
      await removeRequestText(services, act.request_id, userId);
      await notifyOwner(services, userId, {
        subject: act.request_id,
        sentence: 'We removed the message of your friend request.',
        decided_by: by.admin_user_id,
      });
      break;
    case 'remove_planned_walk':
      await removePlannedWalk(services, act.planned_walk_id, userId);
      await notifyOwner(services, userId, {
        subject: act.planned_walk_id,
        sentence: 'We removed one of your planned walks.',
        decided_by: by.admin_user_id,
      });
      break;
  }
  await logModeration(services, `act ${userId} ${JSON.stringify(act)}`, {
    ...by,
    message_id: null,
    user_id: userId,
    content_type: CONTENT[act.type],
    flagged_content: act.type === 'hide_name' ? act.name : null,
    action_taken: act.type === 'hide_name' ? 'hidden' : 'deleted',
  });
}

const CONTENT = {
  hide_name: 'display_name',
  remove_picture: 'picture',
  delete_request_text: 'friend_request',
  remove_planned_walk: 'planned_walk',
} as const;

async function removePicture(services: Services, userId: string, imageKey: string): Promise<void> {
  const { db, images } = services;
  const [card, user] = await Promise.all([
    cards(db).findOne({ _id: userId }),
    findUser(db, userId),
  ]);
  for (const { id, image_key } of card?.dogs ?? [])
    if (user && image_key === imageKey)
      await changeDocumentOf(services, user, {
        kind: 'card',
        name: 'dog.image',
        input: { id, image_key: null },
      });
  if (user && card?.image_key === imageKey)
    await changeDocumentOf(services, user, {
      kind: 'card',
      name: 'profile.image',
      input: { image_key: null },
    });
  await locationPhotos(db).deleteMany({ image_key: imageKey, creator_user_id: userId });
  await images.remove(imageKey, userId);
}

const GUIDELINES = 'It contains content that violates our community guidelines.';

async function notifyOwner(
  services: Services,
  user_id: string,
  {
    subject,
    sentence,
    decided_by,
  }: { subject: string; sentence: string; decided_by: string | null },
): Promise<void> {
  const id = `act ${hashText(`${user_id} ${subject}`, 12)}`;
  await issueNotice(services, id, { user_id, reason: `${sentence} ${GUIDELINES}`, decided_by });
}
