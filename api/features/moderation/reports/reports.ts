import { splitMessageId } from '#shared/chat/document.ts';
import { notFound } from '#shared/http/http-error.ts';
import type { AdminReport } from '#shared/moderation/admin-contract.ts';
import { type ReportType } from '#shared/moderation/contract.ts';
import { REPORT_DESCRIPTION_MAX } from '#shared/moderation/rules.ts';
import { insertOnce } from '../../../platform/database.ts';
import { evidenceOwner } from '../../../platform/files/evidence-owner.ts';
import { hashText } from '../../../platform/hash.ts';
import type { Services } from '../../../platform/services.ts';
import { fileKeyOf, fileOwner } from '../../chat/attachments.ts';
import { messages as messageRows, byMessageId } from '../../chat/collections.ts';
import { verifyRemovedMessage } from '../../chat/removed-message-hashes.ts';
import { namesOf } from '../../profile/names.ts';
import { type ReportRow, messageReports, reportEvidence } from '../collections.ts';
import { messagesAround } from '../content/messages.ts';

/** Returns a report as its reporter may see it. Decision 256. */
export const presentReport = (row: ReportRow) => ({
  id: row._id,
  reporter_user_id: row.reporter_user_id,
  reported_user_id: row.reported_user_id,
  message_id: row.message_id,
  subject_type: row.subject_type,
  report_type: row.report_type,
  description: row.description,
  // A decision that can still be undone isn't known outside.
  status: row.before_decision?.status ?? row.status,
  resolved_at: (row.before_decision ?? row).resolved_at?.toISOString() ?? null,
  created_at: row.created_at.toISOString(),
});

/** For moderators, with names. */
export async function reportsForAdmins(
  { db }: Pick<Services, 'db'>,
  rows: ReportRow[],
): Promise<AdminReport[]> {
  const ids = rows.flatMap((row) => [row.reporter_user_id, row.reported_user_id]);
  const names = await namesOf(db, [...new Set(ids)], {
    isForModerators: true,
  });
  const person = (user_id: string) => ({ user_id, name: names.get(user_id) ?? null });
  return rows.map((row) => ({
    ...presentReport(row),
    status: row.status,
    resolved_at: row.resolved_at?.toISOString() ?? null,
    reporter: person(row.reporter_user_id),
    reported: person(row.reported_user_id),
    admin_notes: row.admin_notes,
    updated_at: row.updated_at.toISOString(),
    version: row.version,
  }));
}

interface Reporting {
  reported_user_id: string;
  message_id: string;
  report_type: ReportType;
  description: string;
  /** The reporter’s copy; no evidence by itself. */
  message_text?: string | undefined;
}

/** Returns a report’s id. A message may move to another document; its key stays. */
const reportId = (reporterId: string, reportedId: string, messageId: string): string =>
  hashText(`report ${reporterId} ${reportedId} ${splitMessageId(messageId).key}`, 22);

/** Maximum length of all descriptions of one report. */
const ADDED_MAX = 4 * REPORT_DESCRIPTION_MAX;

/** Returns a new, undecided report. */
export const newReport = (
  fields: Pick<
    ReportRow,
    | '_id'
    | 'reporter_user_id'
    | 'reported_user_id'
    | 'message_id'
    | 'report_type'
    | 'description'
    | 'created_at'
    | 'subject_type'
    | 'subject_id'
  >,
): ReportRow => ({
  ...fields,
  status: 'pending',
  resolved_at: null,
  admin_notes: null,
  updated_at: fields.created_at,
  version: 0,
  decision: null,
  is_carried_out: true,
});

/**
 * Stores a report and, separately, the evidence, which outlives the thread. Evidence is stored first, so that no report
 * lacks it. A second report of a message by the same person is added to the first, also if the message is gone. The
 * reporter’s copy of a removed message is accepted if a hash proves it (decision 130).
 * @throws HttpError 404 if the reporter did not receive that message from that person
 */
export async function report(
  services: Services,
  reporterId: string,
  { message_text, ...fields }: Reporting,
): Promise<ReportRow> {
  const { db } = services;
  const _id = reportId(reporterId, fields.reported_user_id, fields.message_id);
  const before = await messageReports(db).findOne({ _id });
  if (before) return addToReport(services, before, fields);
  const messages = await messagesAround(db, fields.message_id);
  const removed =
    messages.length === 0 && message_text !== undefined
      ? await verifyRemovedMessage(services, {
          id: fields.message_id,
          sender_user_id: fields.reported_user_id,
          receiver_user_id: reporterId,
          message_text,
        })
      : null;
  if (removed) messages.push(removed);
  const reported = messages.find(({ id }) => id === fields.message_id);
  if (
    reported?.receiver_user_id !== reporterId ||
    reported.sender_user_id !== fields.reported_user_id
  )
    throw notFound('Message');
  const at = new Date();
  const file = await copyFile(services, _id, fields.message_id);
  if (file) Object.assign(reported, file.isVoice ? { sound: file.copy } : { picture: file.copy });
  await reportEvidence(db).updateOne(
    { _id },
    {
      $setOnInsert: {
        messages,
        copied_at: at,
        ...(file && { pictures: [file.copy] }),
        ...(removed && { is_from_reporter: true }),
      },
    },
    { upsert: true },
  );
  return insertOnce(
    messageReports(db),
    newReport({
      ...fields,
      _id,
      subject_type: 'message',
      reporter_user_id: reporterId,
      created_at: at,
    }),
  );
}

/** Copies the photo or recording of a reported message. @returns the copy’s key; null if there is none */
async function copyFile(
  { db, images }: Services,
  reportId: string,
  messageId: string,
): Promise<{ copy: string; isVoice: boolean } | null> {
  const row = await messageRows(db).findOne(byMessageId(messageId));
  const key = row && fileKeyOf(row);
  if (!row || !key) return null;
  const owner = fileOwner(row.thread_id, row.sender_user_id);
  const copy = await images.copy(key, owner, evidenceOwner(reportId));
  return copy === null ? null : { copy, isVoice: row.voice !== undefined };
}

/** Adds another description by the same reporter to an undecided report. A repeat adds nothing. */
export async function addToReport(
  { db }: Services,
  before: ReportRow,
  { report_type, description }: Pick<ReportRow, 'report_type' | 'description'>,
): Promise<ReportRow> {
  const words = `(${report_type}) ${description}`;
  const isIncluded =
    before.description.includes(words) ||
    (before.report_type === report_type && before.description.includes(description));
  const all = `${before.description}\n\n${words}`;
  if (before.status !== 'pending' || isIncluded || all.length > ADDED_MAX) return before;
  const added = await messageReports(db).findOneAndUpdate(
    { _id: before._id, version: before.version },
    { $set: { description: all, updated_at: new Date() }, $inc: { version: 1 } },
    { returnDocument: 'after' },
  );
  return added ?? before;
}
