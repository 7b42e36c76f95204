import { isDeepStrictEqual } from 'node:util';
import type { Filter } from 'mongodb';
import type { z } from 'zod';
import { HttpError, notFound } from '#shared/http/http-error.ts';
import type { ContentAct, decideReport } from '#shared/moderation/admin-contract.ts';
import { isDuplicate } from '#shared/server/database-errors.ts';
import { editedMeanwhile } from '../../../platform/admin/versioned-edit.ts';
import { runOrRetrySoon } from '../../../platform/background-jobs.ts';
import { forEachIsolated } from '../../../platform/for-each-isolated.ts';
import type { Services } from '../../../platform/services.ts';
import type { Caller } from '../../../platform/session-cache.ts';
import { findUser, NOT_DELETED, users } from '../../../platform/session/collections.ts';
import { messages, byMessageId } from '../../chat/collections.ts';
import { removeMessage } from '../../chat/remove-message.ts';
import { logModeration } from '../../content-rules/log-moderation.ts';
import { type ReportRow, messageReports, reportEvidence } from '../collections.ts';
import { carryOutAct, isOnEvidence } from '../content/content-acts.ts';
import { notifyAuthor } from '../content/notify-author.ts';
import { outcomeEmail } from '../emails.ts';
import { freeFor, takenBy } from '../lease.ts';
import { issueSanction } from '../sanctions.ts';

/** The background job that applies unfinished decisions. */
export const DECISIONS_JOB = 'decisions';

export type Deciding = z.output<NonNullable<(typeof decideReport)['body']>>;

/**
 * Stores a moderator’s decision about a report in one atomic step, recorded in the audit log first, and applies it. The
 * background job applies what fails now.
 * @throws HttpError 404; 409 if another moderator decided in the meantime, or if the sanction is against an admin or a
 * deleted account, `taken` while another moderator works on it
 */
export async function decide(
  services: Services,
  caller: Caller,
  id: string,
  { version, status, admin_notes, undo_seconds, remove_message, acts, sanction }: Deciding,
): Promise<ReportRow> {
  const row = await messageReports(services.db).findOne({
    _id: id,
    ...(await visibleReports(services, caller)),
  });
  if (!row) throw notFound('Report');
  const { _id: admin_user_id } = caller.user;
  const asked = { remove_message, acts, sanction, status, admin_user_id };
  // A repeat by a moderator who got no response.
  const { at: _, ...before } = row.decision ?? { at: null };
  if (row.version === version + 1 && isDeepStrictEqual(before, asked)) {
    if (!isHeld(row)) await carryOutSoon(services, row);
    return row;
  }
  if (row.version !== version) throw editedMeanwhile();
  // The new decision is added to the earlier one.
  if (!row.is_carried_out) await carryOutSoon(services, row);
  await requireEvidence(services, id, acts);
  if (sanction) await requireSanctionable(services, row.reported_user_id);
  const at = new Date();
  const isOver = status !== 'reviewed';
  const hold = undo_seconds > 0 && {
    held_until: new Date(at.getTime() + undo_seconds * 1_000),
    before_decision: {
      status: row.status,
      admin_notes: row.admin_notes,
      resolved_at: row.resolved_at,
      decision: row.decision,
      ...(row.open_flag !== undefined && { open_flag: row.open_flag }),
    },
  };
  const decision = { ...asked, at };
  const after = { status, admin_notes, remove_message, acts, sanction };
  const decided = await services.audit(
    {
      caller,
      act: 'report.decide',
      subject_id: id,
      before: { status: row.status, admin_notes: row.admin_notes },
      after,
      reason: admin_notes,
    },
    async () => {
      const now = await messageReports(services.db).findOneAndUpdate(
        { _id: id, version, ...freeFor(admin_user_id, at) },
        {
          $set: {
            status,
            admin_notes,
            resolved_at: isOver ? at : null,
            updated_at: at,
            decision,
            is_carried_out: false,
            ...hold,
          },
          $unset: { lease: '', ...(isOver && { open_flag: '' }) },
          $inc: { version: 1 },
        },
        { returnDocument: 'after' },
      );
      if (!now) {
        const current = await messageReports(services.db).findOne({ _id: id, version });
        throw current ? await takenBy(services, current) : editedMeanwhile();
      }
      return now;
    },
  );
  if (!isHeld(decided)) await carryOutSoon(services, decided);
  return decided;
}

/** Whether the decision can still be undone. */
const isHeld = ({ held_until }: ReportRow): boolean =>
  held_until !== undefined && held_until.getTime() > Date.now();

/**
 * Undoes the caller’s decision before it takes effect, in one atomic step: either this or its effects happen (decision 256).
 * @throws HttpError 404; 409 if it took effect, or changed since
 */
export async function undo(
  services: Services,
  caller: Caller,
  id: string,
  version: number,
): Promise<ReportRow> {
  const { db } = services;
  const visible = await visibleReports(services, caller);
  const row = await messageReports(db).findOne({ _id: id, ...visible });
  if (!row) throw notFound('Report');
  const { before_decision: before } = row;
  if (row.version !== version) throw editedMeanwhile();
  if (!before || !isHeld(row) || row.decision?.admin_user_id !== caller.user._id)
    throw new HttpError(409, 'This decision has taken effect');
  const { open_flag, ...fields } = before;
  const restore = (more: object) =>
    messageReports(db).findOneAndUpdate(
      { _id: id, version, before_decision: { $exists: true } },
      {
        $set: { ...fields, ...more, updated_at: new Date(), is_carried_out: true },
        $unset: { held_until: '', before_decision: '' },
        $inc: { version: 1 },
      },
      { returnDocument: 'after' },
    );
  const act = { caller, act: 'report.undo' as const, subject_id: id };
  return services.audit(
    { ...act, before: { status: row.status }, after: { status: before.status } },
    async () => {
      const undone = await restore(open_flag === undefined ? {} : { open_flag }).catch(
        (error: unknown) => {
          // The servers have flagged the account again since: that report goes on.
          if (isDuplicate(error)) return restore({});
          throw error;
        },
      );
      if (!undone) throw editedMeanwhile();
      return undone;
    },
  );
}

/** Claims a decision that could be undone, so that it no longer can. @returns whether the decision is to be applied */
async function claim({ db }: Services, { _id, version }: ReportRow): Promise<boolean> {
  await messageReports(db).updateOne(
    { _id, version },
    { $unset: { held_until: '', before_decision: '' } },
  );
  return (await messageReports(db).findOne({ _id, version }))?.is_carried_out === false;
}

/** Tells who reported that it was decided, once. */
const tellReporter = ({ push }: Services, { _id, reporter_user_id }: ReportRow): Promise<void> =>
  push.notify({
    topic: 'report',
    user_id: reporter_user_id,
    subject: _id,
    key: `report ${_id}`,
    tag: 'report',
  });

const carryOutSoon = (services: Services, row: ReportRow): Promise<void> =>
  runOrRetrySoon(services, DECISIONS_JOB, () => carryOut(services, row));

/** Hides reports about an admin from that admin, if there is another one to decide. */
export async function visibleReports(
  services: Pick<Services, 'db'>,
  caller: Pick<Caller, 'user'>,
): Promise<Filter<ReportRow>> {
  const isOther = await hasOtherAdmin(services, caller);
  return isOther ? { $nor: [{ reported_user_id: caller.user._id }] } : {};
}

/** Whether there is an administrator besides the caller. */
export async function hasOtherAdmin(
  { db }: Pick<Services, 'db'>,
  { user: { _id } }: Pick<Caller, 'user'>,
): Promise<boolean> {
  const other = { _id: { $ne: _id }, is_admin: true, ...NOT_DELETED };
  return (await users(db).findOne(other)) !== null;
}

/** @throws HttpError 400 if an action is not about the report’s evidence */
async function requireEvidence({ db }: Services, id: string, acts: ContentAct[]): Promise<void> {
  if (acts.length === 0) return;
  const evidence = await reportEvidence(db).findOne({ _id: id });
  if (acts.every((act) => isOnEvidence(act, evidence))) return;
  throw new HttpError(400, 'This isn’t part of the report', { fields: { acts: 'Invalid input' } });
}

/** @throws HttpError 409 if the user can’t be sanctioned */
async function requireSanctionable(services: Services, userId: string): Promise<void> {
  if (!(await findUser(services.db, userId)))
    throw new HttpError(409, 'This account has been deleted, so it can’t be sanctioned.');
  await refuseAdmin(services, userId);
}

/**
 * Otherwise one admin could lock out the others.
 * @throws HttpError 409
 */
export async function refuseAdmin({ db }: Services, userId: string): Promise<void> {
  const admin = await users(db).findOne({ _id: userId, is_admin: true });
  if (admin) throw new HttpError(409, 'You can’t sanction an administrator');
}

/** Marks a decision as applied, and tells the reporter once that it was made. */
async function finish(services: Services, row: ReportRow): Promise<void> {
  const { _id, version, reporter_user_id, decision } = row;
  const isTold = decision !== null && decision.status !== 'reviewed' && reporter_user_id !== '';
  const reporter = isTold ? await findUser(services.db, reporter_user_id) : null;
  const message = reporter && outcomeEmail(services.env, reporter, decision?.status === 'resolved');
  const name = `outcome ${version}`;
  await messageReports(services.db).updateOne(
    { _id, version },
    {
      $set: {
        is_carried_out: true,
        ...(message && { post: { message, at: new Date(), name } }),
      },
    },
  );
  if (message) await services.mailQueue.from('message_reports').post(_id);
  if (isTold) await tellReporter(services, row);
}

/** Applies a decision and tells the reporter the outcome. May be repeated. */
async function carryOut(services: Services, row: ReportRow): Promise<void> {
  if (row.held_until && !(await claim(services, row))) return;
  const { decision } = row;
  if (decision) {
    const { admin_user_id } = decision;
    const about = {
      message_id: row.message_id,
      user_id: row.reported_user_id,
      moderation_type: 'report' as const,
      admin_user_id,
    };
    if (decision.sanction) {
      const id = `${row._id}-${row.version}`;
      const issued = await issueSanction(services, {
        id,
        user_id: row.reported_user_id,
        sanction: decision.sanction,
        admin_user_id,
        report_id: row._id,
      });
      if (issued)
        await logModeration(services, `${id} warning`, {
          ...about,
          flagged_content: null,
          action_taken: 'warning_sent',
          warning_type: decision.sanction.warning_type,
          reason: decision.sanction.reason,
        });
    }
    const by = { moderation_type: about.moderation_type, admin_user_id };
    for (const act of decision.acts) await carryOutAct(services, row.reported_user_id, act, by);
    // Last: a removal that fails must not prevent the sanction.
    if (decision.remove_message && row.message_id !== null) {
      const message = await messages(services.db).findOne(byMessageId(row.message_id));
      // A sanction has its own notice.
      if (message && !decision.sanction)
        await notifyAuthor(services, message, `${row._id} removal`, about);
      const flagged_content = await removeMessage(services, row.message_id);
      const id = `${row._id} deleted`;
      await logModeration(services, id, { ...about, flagged_content, action_taken: 'deleted' });
    }
  }
  await finish(services, row);
}

/** Applies decisions that can no longer be undone, and those that a crash or an outage of the sync server left unfinished. */
export async function runDecisionsJob(services: Services): Promise<void> {
  await forEachIsolated(
    messageReports(services.db).find({ is_carried_out: false }),
    async (row) => {
      if (!isHeld(row)) await carryOut(services, row);
    },
  );
}
