import type { Db } from 'mongodb';
import { poll } from '#shared/backoff.ts';
import { readSegment, splitMessageId } from '#shared/chat/document.ts';
import { UNSEND_WITHIN_MS } from '#shared/chat/rules.ts';
import { NOT_YET } from '#shared/endpoint.ts';
import { HttpError } from '#shared/http/http-error.ts';
import type { MessageRow } from '#shared/server/collections.ts';
import type { Services } from '../../platform/services.ts';
import { isRecorded } from '../deletions/record-deletions.ts';
import { byMessageId, idsOf, messages, openTo, threads } from './collections.ts';

/** How long the row of a message that just arrived may take. */
const WAIT_FOR_ROW = { first: 100, longest: 400, forMs: 3_000 };

/** The error while a message is on its way to where it is needed. */
export const tryAgain = (message = 'Try again in a moment.', cause?: unknown): HttpError =>
  new HttpError(503, message, { code: NOT_YET, headers: { 'retry-after': '2' }, cause });

/** Whether the removal of a message has begun, which hides it. It must be finished. */
export const isRemovalBegun = (db: Db, row: MessageRow): Promise<boolean> =>
  isRecorded(db, 'message', idsOf(row));

/**
 * Returns a message of its author, also while it is on its way from the document, and the version that replaced it; null if there
 * is none.
 * @throws HttpError 503 while its row is late
 */
export async function findOwnMessage(
  services: Services,
  id: string,
  author: string,
): Promise<MessageRow | null> {
  const { db } = services;
  const find = async (): Promise<MessageRow | null> =>
    (await messages(db).findOne({ ...byMessageId(id), sender_user_id: author })) ??
    nowOf(db, id, author);
  const row = await find();
  if (row || !(await isOnItsWay(services, id, author))) return row;
  const late = await poll(async () => (await find()) ?? undefined, WAIT_FOR_ROW);
  if (!late) throw tryAgain();
  return late;
}

/** `splitMessageId` in a query. */
const keyInRow = { $arrayElemAt: [{ $split: ['$_id', '.'] }, 1] };

/**
 * Returns a recent message that a device sent again to another document, or the latest version of one that was edited, by the id of any
 * earlier one.
 */
async function nowOf(db: Db, id: string, author: string): Promise<MessageRow | null> {
  const { key } = splitMessageId(id);
  const recent = { $gt: new Date(Date.now() - UNSEND_WITHIN_MS) };
  const mine = { sender_user_id: author, created_at: recent };
  const moved = await messages(db).findOne({
    ...mine,
    $expr: { $eq: [keyInRow, { $literal: key }] },
  });
  if (moved) return moved;
  const next = await messages(db).findOne({ ...mine, 'edited.from': key });
  const latest = next && (await messages(db).findOne({ ...mine, 'edited.from': keyOf(next) }));
  return latest ?? next ?? messages(db).findOne({ ...mine, 'edited.first': key });
}

export const keyOf = ({ _id }: Pick<MessageRow, '_id'>): string => splitMessageId(_id).key;

/** Whether a message’s id names a segment of its author. */
async function isInOwnSegment(db: Db, id: string, author: string): Promise<boolean> {
  const place = { [`documents.${author}`]: splitMessageId(id).documentId };
  const thread = { ...openTo(author), segments: { $elemMatch: place } };
  return (await threads(db).countDocuments(thread, { limit: 1 })) > 0;
}

/** Returns whether a message is in its author’s own segment, whose projection follows. */
async function isOnItsWay({ db, documents }: Services, id: string, author: string) {
  const { documentId, key } = splitMessageId(id);
  if (!(await isInOwnSegment(db, id, author))) return false;
  const segment = readSegment(await documents.read(documentId));
  return segment.messages.some((message) => message.key === key);
}
