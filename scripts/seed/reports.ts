import type { MessageRow } from '#shared/server/collections.ts';
import { MINUTE_MS } from '#shared/time.ts';
import { evidenceOf } from '../../api/features/moderation/content/messages.ts';
import { newReport, reportId } from '../../api/features/moderation/reports/reports.ts';
import type { Rows } from './rows.ts';
import { type Street } from './user-cluster.ts';
import type { Conversation } from './conversations.ts';
import { REPORTS } from './sample-data.ts';

/** One of this many streets has a report. */
const STREETS_PER_REPORT = 5;

/** Adds an open report of a message, with its evidence, to some streets. */
export function addReport(
  street: Street,
  conversations: readonly Conversation[],
  rows: Rows,
): void {
  if (street.number % STREETS_PER_REPORT !== 0) return;
  const withMessages = conversations.filter(({ messages }) => messages.length > 0);
  if (withMessages.length === 0) return;
  const random = street.random('report');
  const messages = random.pick(withMessages).messages.toSorted((one, other) => one.seq - other.seq);
  const message = messages[messages.length - 1] as MessageRow;
  const { _id: message_id, receiver_user_id: reporter, sender_user_id: reported } = message;
  const [report_type, description] = random.pick(REPORTS);
  const _id = reportId(reporter, reported, message_id);
  const reportedAt = message.created_at.getTime() + random.integer(1, 600) * MINUTE_MS;
  const at = new Date(Math.min(reportedAt, street.now.getTime()));
  rows.report_evidence.push({
    _id,
    messages: messages.map(evidenceOf),
    copied_at: at,
  });
  rows.message_reports.push(
    newReport({
      _id,
      subject_type: 'message',
      reporter_user_id: reporter,
      reported_user_id: reported,
      message_id,
      report_type,
      description,
      created_at: at,
    }),
  );
}
