import { createHmac } from 'node:crypto';
import type { UserRow } from '#shared/rows.ts';
import { isSuspended } from '#shared/rows.ts';
import type { Holding } from '../holdings.ts';
import type { Services } from '../services.ts';
import { standingOf } from '#shared/moderation/rules.ts';
import { banId, presentWarning } from './measures.ts';
import { presentReport } from './reports.ts';

/**
 * One's own warnings and reports. What others reported of somebody, and what rules found, outlives an account under a name
 * that says nothing of who it was, and so does that somebody was sent away (decision 131).
 */
export const heldModeration = ({ database, env }: Services): Holding => {
  /** Whoever is sent away does not come back by deleting the account. */
  async function keepOut(user: UserRow): Promise<void> {
    if (!isSuspended(user, new Date())) return;
    const { userWarnings, bans } = database;
    const rows = await userWarnings.find({ user_id: user._id }).toArray();
    const { suspension } = standingOf(rows.map(presentWarning), Date.now());
    if (!suspension) return;
    const until = suspension.expires_at ? new Date(suspension.expires_at) : null;
    const $set = { until, reason: suspension.reason };
    await bans.updateOne({ _id: banId(user.identity) }, { $set }, { upsert: true });
  }

  return {
    name: 'moderation',
    async export({ _id }) {
      const [warnings, reports] = await Promise.all([
        database.userWarnings.find({ user_id: _id }).sort({ created_at: 1 }).toArray(),
        database.messageReports.find({ reporter_user_id: _id }).sort({ created_at: 1 }).toArray(),
      ]);
      return { warnings: warnings.map(presentWarning), reports: reports.map(presentReport) };
    },
    async remove(user) {
      const { messageReports, reportEvidence, moderationLog, userWarnings } = database;
      const { _id } = user;
      const alias = `gone-${createHmac('sha256', env.SYNC_SECRET).update(`alias ${_id}`).digest('base64url')}`;
      await keepOut(user);
      await userWarnings.deleteMany({ user_id: _id });
      await userWarnings.updateMany({ admin_user_id: _id }, { $set: { admin_user_id: alias } });
      for (const field of ['user_id', 'admin_user_id'] as const)
        await moderationLog.updateMany({ [field]: _id }, { $set: { [field]: alias } });
      for (const field of ['reporter_user_id', 'reported_user_id'] as const)
        await messageReports.updateMany({ [field]: _id }, { $set: { [field]: alias } });
      await messageReports.updateMany(
        { 'decision.admin_user_id': _id },
        { $set: { 'decision.admin_user_id': alias } },
      );
      for (const field of ['sender_user_id', 'receiver_user_id'])
        await reportEvidence.updateMany(
          { [`messages.${field}`]: _id },
          { $set: { [`messages.$[those].${field}`]: alias } },
          { arrayFilters: [{ [`those.${field}`]: _id }] },
        );
    },
  };
};
