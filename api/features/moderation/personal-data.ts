import { sign } from '../../platform/hmac.ts';
import type { PersonalDataHandler } from '../../platform/personal-data.ts';
import type { Services } from '../../platform/services.ts';
import { moderationLog } from '../content-rules/collections.ts';
import { userWarnings, messageReports, reportEvidence } from './collections.ts';
import { presentReport } from './reports/reports.ts';
import { presentWarning } from './sanctions.ts';

/**
 * Exports the user’s warnings and reports. Reports about a user, rule matches, and bans outlive the account under an
 * anonymous alias (decision 133).
 */
export const moderationData = ({ db, env }: Services): PersonalDataHandler => ({
  name: 'moderation',
  async export({ _id }) {
    const [warnings, reports] = await Promise.all([
      userWarnings(db).find({ user_id: _id }).sort({ created_at: 1 }).toArray(),
      messageReports(db).find({ reporter_user_id: _id }).sort({ created_at: 1 }).toArray(),
    ]);
    return { warnings: warnings.map(presentWarning), reports: reports.map(presentReport) };
  },
  async remove({ _id }) {
    const alias = `deleted-${sign(env.SYNC_SECRET, `alias ${_id}`)}`;
    await userWarnings(db).deleteMany({ user_id: _id, is_notice_due: { $ne: true } });
    // The law enforcement notice must still be sent; the row expires with the report's evidence.
    await userWarnings(db).updateMany(
      { user_id: _id },
      {
        $set: { user_id: alias, appeal: null, expires_at: new Date(), due_at: null },
        $unset: { post: '' },
      },
    );
    await userWarnings(db).updateMany(
      { 'notice.admin_user_id': _id },
      { $set: { 'notice.admin_user_id': alias } },
    );
    for (const field of ['admin_user_id', 'decided_by'] as const)
      await userWarnings(db).updateMany({ [field]: _id }, { $set: { [field]: alias } });
    for (const field of ['user_id', 'admin_user_id'] as const)
      await moderationLog(db).updateMany({ [field]: _id }, { $set: { [field]: alias } });
    await messageReports(db).updateMany(
      { reported_user_id: _id, open_flag: { $exists: true } },
      { $unset: { open_flag: '' } },
    );
    await messageReports(db).updateMany({ reporter_user_id: _id }, { $unset: { post: '' } });
    for (const rows of [messageReports(db), userWarnings(db)])
      await rows.updateMany({ 'lease.admin_user_id': _id }, { $unset: { lease: '' } });
    for (const field of ['reporter_user_id', 'reported_user_id'] as const)
      await messageReports(db).updateMany({ [field]: _id }, { $set: { [field]: alias } });
    await messageReports(db).updateMany(
      { 'decision.admin_user_id': _id },
      { $set: { 'decision.admin_user_id': alias } },
    );
    for (const field of ['sender_user_id', 'receiver_user_id'])
      await reportEvidence(db).updateMany(
        { [`messages.${field}`]: _id },
        { $set: { [`messages.$[those].${field}`]: alias } },
        { arrayFilters: [{ [`those.${field}`]: _id }] },
      );
  },
});
