import type { z } from 'zod';
import { notFound } from '#shared/http/http-error.ts';
import type { reportContent } from '#shared/moderation/contract.ts';
import type { CardRow } from '#shared/server/collections.ts';
import { insertOnce } from '../../../platform/database.ts';
import { evidenceOwner } from '../../../platform/files/evidence-owner.ts';
import { hashText } from '../../../platform/hash.ts';
import type { Services } from '../../../platform/services.ts';
import { locationPhotos } from '../../locations/collections.ts';
import { findInvitation } from '../../planned-walks/store.ts';
import { cards } from '../../profile/collections.ts';
import { type PairRow, pairs } from '../../relationships/collections.ts';
import {
  earlierViewOf,
  noRelationship,
  noticedBlockOf,
  pairId,
} from '../../relationships/relationship.ts';
import {
  type EvidenceRow,
  type ReportRow,
  messageReports,
  reportEvidence,
} from '../collections.ts';
import { addToReport, newReport } from './reports.ts';

type Reporting = z.output<NonNullable<(typeof reportContent)['body']>>;

/**
 * Stores a report of a person, a picture, a friend request, or a planned walk, with a copy of the evidence. Until a moderator
 * decides, another report of the same subject by the same person is added to it.
 * @throws HttpError 404 for anything the reporter may not see
 */
export async function reportOther(
  services: Services,
  reporterId: string,
  reporting: Reporting,
): Promise<ReportRow> {
  const { reported_user_id, subject_type, report_type, description } = reporting;
  if (reported_user_id === reporterId) throw notFound('User');
  const subject_id = subjectOf(reporting);
  const same = { reporter_user_id: reporterId, reported_user_id, subject_type, subject_id };
  const before = await messageReports(services.db).find(same).sort({ created_at: -1 }).toArray();
  const open = before.find(({ status }) => status === 'pending' || status === 'reviewed');
  if (open) return addToReport(services, open, { report_type, description });
  const _id = hashText(JSON.stringify(['report', ...Object.values(same), before.length]), 22);

  const id = pairId(reporterId, reported_user_id);
  const pair =
    (await pairs(services.db).findOne({ _id: id })) ?? noRelationship(reporterId, reported_user_id);
  const card = await cards(services.db).findOne({ _id: reported_user_id });
  if (!card?.display_name || noticedBlockOf(pair, reporterId)) throw notFound('User');
  const at = new Date();
  const walk = await reportedWalk(services, reporterId, reporting);
  const evidence = {
    ...(await evidenceOf(services, _id, { reporting, card, request: requestTo(pair, reporterId) })),
    ...(walk && { planned_walk: walk }),
  };
  await reportEvidence(services.db).updateOne(
    { _id },
    { $setOnInsert: { messages: [], ...evidence, copied_at: at } },
    { upsert: true },
  );
  return insertOnce(
    messageReports(services.db),
    newReport({
      ...same,
      _id,
      message_id: null,
      report_type,
      description,
      created_at: at,
    }),
  );
}

function subjectOf(reporting: Reporting): string {
  switch (reporting.subject_type) {
    case 'person':
      return '';
    case 'picture':
      return reporting.image_key;
    case 'friend_request':
      return reporting.request_id;
    case 'planned_walk':
      return reporting.planned_walk_id;
  }
}

/** The last friend request to a user, answered or not. */
function requestTo(pair: PairRow, userId: string) {
  const { request } = earlierViewOf(pair, userId) ?? pair;
  return request?.receiver_user_id === userId ? request : null;
}

/** @throws HttpError 404 unless the reporter is invited to the walk by the reported person */
async function reportedWalk(
  { db }: Services,
  reporterId: string,
  reporting: Reporting,
): Promise<EvidenceRow['planned_walk'] | null> {
  if (reporting.subject_type !== 'planned_walk') return null;
  const walk = await findInvitation(db, reporting.planned_walk_id, reporterId);
  if (walk.organizer_user_id !== reporting.reported_user_id) throw notFound('Planned walk');
  const { _id: id, starts_at, place_name, note } = walk;
  return { id, starts_at, place_name, note };
}

/**
 * @throws HttpError 404 if the picture or request doesn’t exist, or isn’t visible to the reporter
 */
async function evidenceOf(
  services: Services,
  reportId: string,
  {
    reporting,
    card,
    request,
  }: { reporting: Reporting; card: CardRow; request: PairRow['request'] },
): Promise<Omit<EvidenceRow, '_id' | 'messages' | 'copied_at'>> {
  const { subject_type } = reporting;
  const reported = subject_type === 'picture' ? reporting.image_key : null;
  const isOfCard = [card, ...card.dogs].some(({ image_key }) => image_key === reported);
  const placeKey = isOfCard ? null : reported;
  if (placeKey !== null) {
    const photo = { image_key: placeKey, creator_user_id: card._id };
    if (!(await locationPhotos(services.db).findOne(photo))) throw notFound('Photo');
  }
  if (subject_type === 'friend_request' && request?.id !== reporting.request_id)
    throw notFound('Friend request');
  async function copyOf(image_key: string | null): Promise<string | null> {
    if (image_key === null || (reported !== null && image_key !== reported)) return null;
    return services.images.copy(image_key, card._id, evidenceOwner(reportId));
  }
  const { display_name, about = null, image_key: photo = null } = card;
  const dogs = [];
  for (const { id, name, image_key } of card.dogs)
    dogs.push({ id, name, image_key, picture: await copyOf(image_key) });
  const picture = await copyOf(photo);
  const place_photo = placeKey !== null && {
    image_key: placeKey,
    picture: await copyOf(placeKey),
  };
  return {
    person: { display_name, about, image_key: photo, picture, dogs },
    pictures: [{ picture }, ...dogs, ...(place_photo ? [place_photo] : [])].flatMap(
      (copied) => copied.picture ?? [],
    ),
    ...(place_photo && { place_photo }),
    ...(reported !== null && { image_key: reported }),
    ...(subject_type === 'friend_request' &&
      request && {
        friend_request: {
          id: request.id,
          message: request.message,
          created_at: request.created_at,
        },
      }),
  };
}
