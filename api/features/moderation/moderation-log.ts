import type { LogEntry } from '#shared/moderation/rules-contract.ts';
import type { Services } from '../../platform/services.ts';
import { type LogRow } from '../content-rules/collections.ts';
import { namesOf } from '../profile/names.ts';

/** For moderators, with names. */
export async function presentLog(
  { db }: Pick<Services, 'db'>,
  rows: LogRow[],
): Promise<LogEntry[]> {
  const names = await namesOf(db, [...new Set(rows.map(({ user_id }) => user_id))], {
    isForModerators: true,
  });
  return rows.map(({ _id, user_id, created_at, ...row }) => ({
    ...row,
    // Rows of earlier releases lack them.
    warning_type: row.warning_type ?? null,
    reason: row.reason ?? null,
    id: _id,
    user: { user_id, name: names.get(user_id) ?? null },
    created_at: created_at.toISOString(),
  }));
}
