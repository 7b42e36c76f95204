import type { Filter } from 'mongodb';
import { COUNT_MAX } from '#shared/admin/paging.ts';
import { HttpError, notFound } from '#shared/http/http-error.ts';
import {
  answerAppeal,
  issueWarning,
  liftWarning,
  listAllWarnings,
  recordNotice,
  releaseAppeal,
  takeAppeal,
  type AdminWarning,
} from '#shared/moderation/admin-contract.ts';
import { isInForce } from '#shared/moderation/rules.ts';
import type { UserRow } from '#shared/server/collections.ts';
import { DAY_MS } from '#shared/time.ts';
import { readPage } from '../../platform/admin/keyset-pagination.ts';
import { omitUndefined } from '../../platform/admin/omit-undefined.ts';
import { editedMeanwhile } from '../../platform/admin/versioned-edit.ts';
import { serve } from '../../platform/http/mount-endpoint.ts';
import type { Email } from '../../platform/mail-queue/messages.ts';
import type { Api, Services } from '../../platform/services.ts';
import type { Caller } from '../../platform/session-cache.ts';
import { findUser } from '../../platform/session/collections.ts';
import { logModeration } from '../content-rules/log-moderation.ts';
import { type WarningRow, NAMED, NOTICE_WAITING, deciderOf, userWarnings } from './collections.ts';
import { appealEmail, liftEmail } from './emails.ts';
import { currentLease, freeFor, takenBy, releaseLease, takeLease } from './lease.ts';
import { idsOfSearch } from './people-search.ts';
import { hasOtherAdmin, refuseAdmin } from './reports/resolve-report.ts';
import {
  recordSanction,
  presentForAdmins,
  presentWarning,
  applySanctions,
  takeEffect,
} from './sanctions.ts';

/** Returns the values for the audit log, which outlives the account: without the texts of appeals and answers. */
const auditFields = ({ lifted_at, appeal }: Pick<WarningRow, 'lifted_at' | 'appeal'>) => ({
  lifted_at,
  appeal: appeal?.status ?? null,
});

/**
 * The admin's date may be a day ahead of or behind the one in UTC.
 * @throws HttpError 400 for a day before the sanction or in the future
 */
function requirePlausibleDay(day: string, sanctionedAt: Date): void {
  const time = Date.parse(day);
  if (time > sanctionedAt.getTime() - 2 * DAY_MS && time <= Date.now() + DAY_MS) return;
  throw new HttpError(400, 'Invalid input', {
    fields: { sent_on: 'Enter a day since the termination' },
  });
}

const PENDING_APPEAL = { 'appeal.status': 'pending' as const };

/**
 * Nobody judges an appeal against their own decision if somebody else can (decision 256).
 * @throws HttpError 409
 */
async function requireOther(services: Services, caller: Caller, id: string): Promise<void> {
  const row = await userWarnings(services.db).findOne({ _id: id });
  if (row && deciderOf(row) === caller.user._id && (await hasOtherAdmin(services, caller)))
    throw new HttpError(409, 'You made this decision, so another moderator answers the appeal');
}

/** Sanctions and appeals, for moderators. */
export function mountSanctions(api: Api): void {
  const { services } = api;
  // Queues what an earlier process left.
  services.mailQueue.from('user_warnings');

  serve(api, listAllWarnings, async ({ query: { cursor, limit, sort, ...wanted }, caller }) => {
    const { appeal, notice, search, user_id } = wanted;
    const { rows, paged } = await readPage(userWarnings(services.db), {
      filter: {
        ...omitUndefined({ 'appeal.status': appeal, user_id }),
        ...(search && { user_id: { $in: await idsOfSearch(services.db, search) } }),
        ...((search || user_id) && NAMED),
        ...(notice === 'due' && { created_at: { $type: 'date' as const }, ...NOTICE_WAITING }),
      },
      orders: { newest: ['created_at', -1], oldest: ['created_at', 1] },
      query: { cursor, limit, sort },
    });
    return {
      warnings: await presentForAdmins(services, rows),
      pending_appeals: await userWarnings(services.db).countDocuments(PENDING_APPEAL, {
        limit: COUNT_MAX + 1,
      }),
      has_other_admin: await hasOtherAdmin(services, caller),
      ...paged,
    };
  });

  serve(api, issueWarning, async ({ body: { user_id, ...sanction }, caller, freshId }) => {
    if (!(await findUser(services.db, user_id))) throw notFound('User');
    await refuseAdmin(services, user_id);
    const id = freshId();
    const admin_user_id = caller.user._id;
    const row = await services.audit(
      {
        caller,
        act: 'warning.issue',
        subject_id: id,
        before: null,
        after: { user_id, ...sanction },
        reason: sanction.reason,
      },
      () => recordSanction(services, { id, user_id, sanction, admin_user_id, report_id: null }),
    );
    if (!row) throw notFound('User');
    await logModeration(services, `${id} warning`, {
      message_id: null,
      user_id,
      moderation_type: 'admin',
      flagged_content: null,
      action_taken: 'warning_sent',
      warning_type: sanction.warning_type,
      reason: sanction.reason,
      admin_user_id,
    });
    await takeEffect(services, row);
    return { warning: await presentOne(services, row) };
  });

  serve(api, liftWarning, async ({ params: { id }, body: { version }, caller }) => {
    const lifted = await change(services, caller, id, {
      version,
      act: 'warning.lift',
      condition: { lifted_at: null },
      set: ({ appeal }, at) => ({
        lifted_at: at,
        // Lifting grants a pending appeal.
        ...(appeal?.status === 'pending' && {
          appeal: { ...appeal, status: 'lifted', answered_at: at },
        }),
      }),
      compose: (row, to) =>
        isInForce(presentWarning(row), Date.now())
          ? liftEmail(services.env, to, row.warning_type)
          : null,
    });
    return { warning: await presentOne(services, lifted) };
  });

  serve(api, recordNotice, async ({ params: { id }, body: { version, ...sent }, caller }) => {
    const row = await userWarnings(services.db).findOne({ _id: id });
    if (!row) throw notFound('Warning');
    if (row.version !== version) throw editedMeanwhile();
    if (!row.is_notice_due) throw new HttpError(409, 'No law enforcement notice is due');
    requirePlausibleDay(sent.sent_on, row.created_at);
    const recorded = await services.audit(
      { caller, act: 'warning.notice', subject_id: id, before: null, after: sent },
      async () => {
        const now = await userWarnings(services.db).findOneAndUpdate(
          { _id: id, version, ...NOTICE_WAITING },
          {
            $set: {
              notice: { ...sent, admin_user_id: caller.user._id, recorded_at: new Date() },
            },
            $unset: { is_notice_due: '' },
            $inc: { version: 1 },
          },
          { returnDocument: 'after' },
        );
        if (!now) throw editedMeanwhile();
        return now;
      },
    );
    return { warning: await presentOne(services, recorded) };
  });

  serve(api, takeAppeal, async ({ params: { id }, caller }) => {
    await requireOther(services, caller, id);
    const pending = { _id: id, ...PENDING_APPEAL };
    return takeLease(services, userWarnings(services.db), {
      filter: pending,
      adminId: caller.user._id,
      what: 'Appeal',
    });
  });

  serve(api, releaseAppeal, async ({ params: { id }, caller }) => {
    await releaseLease(userWarnings(services.db), id, caller.user._id);
    return {};
  });

  serve(api, answerAppeal, async ({ params: { id }, body, caller }) => {
    const { version, status, answer } = body;
    await requireOther(services, caller, id);
    const held = await userWarnings(services.db).findOne({ _id: id, version });
    const lease = held && currentLease(held, new Date());
    if (held && lease && lease.admin_user_id !== caller.user._id)
      throw await takenBy(services, held);
    const answered = await change(services, caller, id, {
      version,
      act: 'appeal.answer',
      condition: {
        ...PENDING_APPEAL,
        ...freeFor(caller.user._id, new Date()),
        ...(status === 'upheld' && { lifted_at: null }),
      },
      set: (row, at) => ({
        appeal: row.appeal && { ...row.appeal, status, answer, answered_at: at },
        ...(status === 'lifted' && { lifted_at: row.lifted_at ?? at }),
      }),
      compose: (row, to) => appealEmail(services.env, to, row, { status, answer }),
    });
    return { warning: await presentOne(services, answered) };
  });
}

async function presentOne(services: Services, row: WarningRow): Promise<AdminWarning> {
  const [warning] = await presentForAdmins(services, [row]);
  if (!warning) throw new Error('the warning was not serialized');
  return warning;
}

/**
 * Changes a sanction for an admin, unless it changed since that admin read it, and applies it.
 */
async function change(
  services: Services,
  caller: Caller,
  id: string,
  {
    version,
    act,
    condition,
    set,
    compose,
  }: {
    version: number;
    act: 'warning.lift' | 'appeal.answer';
    condition: Filter<WarningRow>;
    set: (row: WarningRow, at: Date) => Partial<WarningRow>;
    compose: (row: WarningRow, to: UserRow) => Email | null;
  },
): Promise<WarningRow> {
  const posts = services.mailQueue.from('user_warnings');
  const row = await userWarnings(services.db).findOne({ _id: id });
  if (!row) throw notFound('Warning');
  if (row.version !== version) throw editedMeanwhile();
  const at = new Date();
  const after = set(row, at);
  // The row holds one pending email: the one about the sanction itself is sent first.
  await posts.post(id);
  const user = await findUser(services.db, row.user_id);
  const message = user && compose(row, user);
  const post = message && { post: { message, at, name: act } };
  // The user has something new to acknowledge.
  const unseen = { acknowledged_at: null };
  const changed = await services.audit(
    {
      caller,
      act,
      subject_id: id,
      before: auditFields(row),
      after: auditFields({ ...row, ...after }),
    },
    async () => {
      const now = await userWarnings(services.db).findOneAndUpdate(
        { _id: id, version, ...condition },
        {
          $set: { ...after, ...unseen, ...post, due_at: at },
          // Law enforcement is not notified about a sanction that was reversed.
          ...(after.lifted_at && { $unset: { is_notice_due: '' } }),
          $inc: { version: 1 },
        },
        { returnDocument: 'after' },
      );
      if (!now) throw editedMeanwhile();
      return now;
    },
  );
  await applySanctions(services, changed.user_id);
  if (post) await posts.post(id);
  return changed;
}
