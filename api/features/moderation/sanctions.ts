import { isDeepStrictEqual } from 'node:util';
import type { Db } from 'mongodb';
import type { AdminWarning, Sanction } from '#shared/moderation/admin-contract.ts';
import type { UserWarning } from '#shared/moderation/contract.ts';
import { DAYS, activeSanctions } from '#shared/moderation/rules.ts';
import { isSuspended, type UserRow } from '#shared/server/collections.ts';
import { DAY_MS } from '#shared/time.ts';
import { insertOnce } from '../../platform/database.ts';
import { forEachIsolated } from '../../platform/for-each-isolated.ts';
import { hashText } from '../../platform/hash.ts';
import type { Services } from '../../platform/services.ts';
import { findUser, users } from '../../platform/session/collections.ts';
import { changeDocumentOf } from '../../platform/user-documents.ts';
import { namesOf } from '../profile/names.ts';
import {
  type WarningRow,
  userWarnings,
  bans,
  deciderOf,
  messageReports,
  reportEvidence,
} from './collections.ts';
import { sanctionEmail } from './emails.ts';

/** Later than anything. */
const FOREVER = new Date('9999-12-31T00:00:00.000Z');

/** Returns a warning as its user may see it. */
export const presentWarning = (row: WarningRow): UserWarning => ({
  id: row._id,
  warning_type: row.warning_type,
  reason: row.reason,
  severity: row.severity,
  issued_by_admin: row.issued_by_admin,
  created_at: row.created_at.toISOString(),
  expires_at: row.expires_at?.toISOString() ?? null,
  is_acknowledged: row.acknowledged_at !== null,
  lifted_at: row.lifted_at?.toISOString() ?? null,
  appeal: row.appeal && {
    text: row.appeal.text,
    created_at: row.appeal.created_at.toISOString(),
    status: row.appeal.status,
    answer: row.appeal.answer,
    answered_at: row.appeal.answered_at?.toISOString() ?? null,
  },
});

/** For their user, with what they are about. */
export async function presentForUser(db: Db, rows: WarningRow[]): Promise<UserWarning[]> {
  if (rows.length === 0) return [];
  const _id = { $in: rows.flatMap(({ report_id }) => report_id ?? []) };
  const [reports, evidence] = await Promise.all([
    messageReports(db).find({ _id }).toArray(),
    reportEvidence(db).find({ _id }).toArray(),
  ]);
  return rows.map((row) => {
    const report = reports.find((each) => each._id === row.report_id);
    const message = evidence
      .find((each) => each._id === row.report_id)
      ?.messages.find(
        ({ id, sender_user_id }) => id === report?.message_id && sender_user_id === row.user_id,
      );
    return {
      ...presentWarning(row),
      ...(report && {
        about: { report_type: report.report_type, message_text: message?.message_text ?? null },
      }),
    };
  });
}

/** For moderators, with names. */
export async function presentForAdmins(
  { db }: Pick<Services, 'db'>,
  rows: WarningRow[],
): Promise<AdminWarning[]> {
  const ids = rows.flatMap((row) => [row.user_id, deciderOf(row) ?? []].flat());
  const names = await namesOf(db, [...new Set(ids)], { isForModerators: true });
  return rows.map((row) => ({
    ...presentWarning(row),
    user: row.is_anonymous
      ? { user_id: '', name: null }
      : { user_id: row.user_id, name: names.get(row.user_id) ?? null },
    ...(row.is_anonymous && { is_anonymous: true }),
    admin_user_id: deciderOf(row),
    admin_name: names.get(deciderOf(row) ?? '') ?? null,
    report_id: row.report_id,
    law_enforcement_notice: row.law_enforcement_notice,
    is_notice_due: row.is_notice_due ?? false,
    notice: row.notice
      ? {
          authority: row.notice.authority,
          reference: row.notice.reference,
          sent_on: row.notice.sent_on,
        }
      : null,
    version: row.version,
  }));
}

/** A sanction to issue. */
export interface NewSanction {
  /** The same for a repeat. */
  id: string;
  user_id: string;
  sanction: Sanction;
  /** Null: a rule did it. */
  admin_user_id: string | null;
  /** In a notice: who removed or hid what it is about. */
  decided_by?: string | null;
  report_id: string | null;
  /** About an anonymous hazard. */
  is_anonymous?: true;
}

/**
 * Issues a sanction: stores it, applies it, and notifies the user. May be repeated.
 * @returns null if the account is deleted
 */
export async function issueSanction(
  services: Services,
  wanted: NewSanction,
): Promise<WarningRow | null> {
  const row = await recordSanction(services, wanted);
  if (row) await takeEffect(services, row);
  return row;
}

/**
 * Warns a user about content that the servers or a moderator removed or hid. May be repeated under the same id.
 * @param decided_by that moderator; null for the servers
 */
export const issueNotice = (
  services: Services,
  id: string,
  { user_id, reason, decided_by }: { user_id: string; reason: string; decided_by: string | null },
): Promise<WarningRow | null> =>
  issueSanction(services, {
    id,
    user_id,
    sanction: {
      warning_type: 'warning',
      severity: 'minor',
      reason,
      law_enforcement_notice: false,
    },
    // The servers wrote it, and it doesn't count toward further sanctions.
    admin_user_id: null,
    decided_by,
    report_id: null,
  });

/**
 * Stores a sanction in one atomic step; from then on it is in force and will be applied.
 * @returns null if the account is deleted
 */
export async function recordSanction(
  { db, env }: Services,
  wanted: NewSanction,
): Promise<WarningRow | null> {
  const user = await findUser(db, wanted.user_id);
  return user && insertOnce(userWarnings(db), rowOf(env, user, wanted));
}

/**
 * Applies a sanction. May be repeated.
 * @throws HttpError 503 when the sync server is unavailable; the background job retries
 */
export async function takeEffect(services: Services, row: WarningRow): Promise<void> {
  await applySanctions(services, row.user_id);
  if (row.post) await services.mailQueue.from('user_warnings').post(row._id);
}

function rowOf(env: Services['env'], user: UserRow, wanted: NewSanction): WarningRow {
  const { days, ...sanction } = wanted.sanction;
  const at = new Date();
  const lasts =
    sanction.warning_type === 'termination' ? null : (days ?? DAYS[sanction.warning_type]);
  const expires_at = lasts === null ? null : new Date(at.getTime() + lasts * DAY_MS);
  const message = sanctionEmail(env, user, { ...sanction, expires_at });
  return {
    ...sanction,
    _id: wanted.id,
    user_id: user._id,
    issued_by_admin: wanted.admin_user_id !== null,
    admin_user_id: wanted.admin_user_id,
    ...(wanted.decided_by && { decided_by: wanted.decided_by }),
    report_id: wanted.report_id,
    ...(wanted.is_anonymous && { is_anonymous: true as const }),
    created_at: at,
    expires_at,
    acknowledged_at: null,
    lifted_at: null,
    appeal: null,
    version: 0,
    due_at: at,
    ...(sanction.warning_type === 'termination' &&
      sanction.law_enforcement_notice && { is_notice_due: true as const }),
    ...(message && { post: { message, at } }),
  };
}

const rowsOf = ({ db }: Services, userId: string): Promise<WarningRow[]> =>
  userWarnings(db).find({ user_id: userId }).sort({ _id: 1 }).toArray();

/** Updates the user’s row and, independent of the account, the ban of the identity. */
async function updateUser(
  services: Services,
  userId: string,
  rows: WarningRow[],
  now: number,
): Promise<void> {
  const { db } = services;
  const { restriction, suspension } = activeSanctions(rows.map(presentWarning), now);
  const endOf = (sanction: UserWarning | null) =>
    sanction && (sanction.expires_at ? new Date(sanction.expires_at) : null);
  const until = (sanction: UserWarning | null) => sanction && (endOf(sanction) ?? FOREVER);
  const user = await users(db).findOneAndUpdate(
    { _id: userId },
    { $set: { restricted_until: until(restriction), suspended_until: until(suspension) } },
  );
  if (!user || user.deleted_at) return;
  // First: the sync server may be down, and the account deleted before it is back.
  const _id = banId(user.identity);
  if (!suspension) await bans(db).deleteOne({ _id });
  else
    await bans(db).updateOne(
      { _id },
      { $set: { until: endOf(suspension), reason: suspension.reason } },
      { upsert: true },
    );
  if (user.documents_ready)
    await changeDocumentOf(services, user, {
      kind: 'contacts',
      name: 'restriction.set',
      input: {
        until: until(restriction)?.toISOString() ?? null,
      },
    });
}

/**
 * Applies the user’s current sanctions everywhere: the user’s row, which every call and socket checks, the contacts
 * document, and open connections. May be repeated, late and in any order.
 */
export async function applySanctions(services: Services, userId: string): Promise<void> {
  const { db, signals, documents } = services;
  const now = Date.now();
  let rows = await rowsOf(services, userId);
  for (;;) {
    await updateUser(services, userId, rows, now);
    // Reread: two servers may write at the same time.
    const again = await rowsOf(services, userId);
    if (isDeepStrictEqual(again, rows)) break;
    rows = again;
  }
  await signals.send('user', userId);
  await signals.send('moderation', userId);
  // Open connections were authorized by the old row.
  await documents.disconnect({ user_id: userId });
  for (const row of rows) {
    await sendPush(services, row, now);
    const ends = row.expires_at && row.expires_at.getTime() > now && !row.lifted_at;
    await userWarnings(db).updateOne(
      { _id: row._id, version: row.version },
      { $set: { due_at: ends ? row.expires_at : null } },
    );
  }
}

/** Tells the user's devices of a sanction, its end by a moderator, or the answer to an appeal. */
async function sendPush({ push }: Services, row: WarningRow, now: number): Promise<void> {
  const isOver = row.expires_at !== null && row.expires_at.getTime() <= now && !row.lifted_at;
  if (row.acknowledged_at || !row.due_at || row.due_at.getTime() > now || isOver) return;
  const state = row.lifted_at ? 'lifted' : (row.appeal?.status ?? 'issued');
  await push.notify({
    topic: 'moderation',
    user_id: row.user_id,
    subject: row._id,
    key: `moderation ${row._id} ${state}`,
    tag: `moderation-${row._id}`,
  });
}

const EVERY_MS = 15_000;

/** Ends expired sanctions, and applies those that a crash left unfinished. */
export function watchSanctions(services: Services): void {
  const update = async () => {
    const due = await userWarnings(services.db).distinct('user_id', {
      // As the partial index has it.
      due_at: { $type: 'date', $lte: new Date() },
    });
    await forEachIsolated(due, (userId) => applySanctions(services, userId));
  };
  services.registerJob('sanctions', update, { everyMs: EVERY_MS });
}

/** Identifies a banned person across accounts. */
const banId = (identity: string): string => hashText(`ban ${identity}`);

/** Carries a ban over to a new account of the same identity. */
export async function reapplyBan(services: Services, user: UserRow): Promise<void> {
  if (isSuspended(user, new Date())) return;
  const ban = await bans(services.db).findOne({ _id: banId(user.identity) });
  if (!ban || (ban.until && ban.until <= new Date())) return;
  const at = new Date();
  await userWarnings(services.db).updateOne(
    { _id: `ban-${user._id}` },
    {
      $setOnInsert: {
        user_id: user._id,
        warning_type: ban.until ? 'suspension' : 'termination',
        reason: ban.reason,
        severity: 'severe',
        issued_by_admin: false,
        admin_user_id: null,
        report_id: null,
        law_enforcement_notice: false,
        created_at: at,
        expires_at: ban.until,
        acknowledged_at: null,
        lifted_at: null,
        appeal: null,
        version: 0,
        due_at: at,
      },
    },
    { upsert: true },
  );
  await applySanctions(services, user._id);
}
