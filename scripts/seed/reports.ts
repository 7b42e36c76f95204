import type { MessageRow } from '#shared/server/collections.ts';
import { evidenceOf } from '../../api/moderation/content/messages.ts';
import { newReport, reportId } from '../../api/moderation/reports/reports.ts';
import type { Rows } from './rows.ts';
import { MINUTE_MS, type Street } from './user-cluster.ts';
import type { Talk } from './conversations.ts';
import { REPORTS } from './sample-data.ts';

/** So many streets have a report together. */
const STREETS_A_REPORT = 5;

/** Adds a report of a message, with its evidence, where a street has one: nobody has decided about any. */
export function addReport(street: Street, talks: readonly Talk[], rows: Rows): void {
  if (street.number % STREETS_A_REPORT !== 0) return;
  const spoken = talks.filter(({ messages }) => messages.length > 0);
  if (spoken.length === 0) return;
  const chance = street.choices('report');
  const messages = chance.pick(spoken).messages.toSorted((one, other) => one.seq - other.seq);
  const message = messages[messages.length - 1] as MessageRow;
  const { _id: message_id, receiver_user_id: reporter, sender_user_id: reported } = message;
  const [report_type, description] = chance.pick(REPORTS);
  const _id = reportId(reporter, reported, message_id);
  const later = message.created_at.getTime() + chance.whole(1, 600) * MINUTE_MS;
  const at = new Date(Math.min(later, street.now.getTime()));
  rows.report_evidence.push({
    _id,
    messages: messages.map(evidenceOf),
    copied_at: at,
  });
  rows.message_reports.push(
    newReport({
      _id,
      reporter_user_id: reporter,
      reported_user_id: reported,
      message_id,
      report_type,
      description,
      created_at: at,
    }),
  );
}
