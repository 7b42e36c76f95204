import type { Db } from 'mongodb';
import { HttpError, notFound } from '#shared/http/http-error.ts';
import {
  acknowledgeWarning,
  appealWarning,
  getWords,
  listOwnReports,
  listWarnings,
  reportContent,
  reportMessage,
  type OwnReport,
} from '#shared/moderation/contract.ts';
import { isInForce, OWN_REPORTS_MAX } from '#shared/moderation/rules.ts';
import { serve } from '../../platform/http/mount-endpoint.ts';
import { findTogether } from '../../platform/read-together.ts';
import type { Api } from '../../platform/services.ts';
import { startThreadMaintenance } from '../chat/thread-maintenance.ts';
import { seedRules } from '../content-rules/rule-book.ts';
import { reportEvidence, userWarnings, messageReports } from './collections.ts';
import { watchMessages } from './content/message-scanner.ts';
import { watchNames } from './content/names.ts';
import { mountGuidelines, seedGuidelines } from './guidelines.ts';
import { mountLog } from './log-routes.ts';
import { mountPeople } from './people-routes.ts';
import { reportOther } from './reports/content-reports.ts';
import { mountReports } from './reports/report-routes.ts';
import { presentReport, report } from './reports/reports.ts';
import { runRetentionJob } from './retention.ts';
import { mountRules } from './rules/rule-routes.ts';
import { presentForUser, presentWarning, watchSanctions } from './sanctions.ts';
import { mountSanctions } from './warning-routes.ts';

const WARNINGS_MAX = 100;
/** Reports, the word filter, warnings, and appeals, for members and moderators. */
export async function mountModeration(api: Api): Promise<void> {
  const { services } = api;
  const { db, signals, events, ruleBook } = services;
  const reports = services.limiter({ name: 'message-reports', points: 30, seconds: 3_600 });
  services.images.spare(async (files) => {
    const some = { pictures: { $in: files.map(({ key }) => key) } };
    const rows = await reportEvidence(db).find(some).project({ pictures: 1 }).toArray();
    return rows.flatMap(({ pictures }) => (pictures ?? []) as string[]);
  });
  await seedRules(db, services.log);
  await seedGuidelines(db);
  mountGuidelines(api);
  mountRules(api);
  mountReports(api);
  mountSanctions(api);
  mountLog(api);
  mountPeople(api);
  watchSanctions(services);
  watchNames(services);
  watchMessages(services, startThreadMaintenance(services));
  services.registerJob('moderation', () => runRetentionJob(services));
  services.onClose(
    signals.listen((signal) => {
      if (signal !== 'lost' && signal.topic === 'moderation' && signal.user_id !== '')
        events.deliver(signal.user_id, { type: 'moderation' });
    }),
  );

  serve(api, getWords, async ({ query }) => {
    const { version, words, texts } = await ruleBook.rules();
    if (query.version === version) return { version, words: null, texts: null };
    return { version, words, texts };
  });

  serve(api, reportMessage, async ({ body, caller: { user } }) => {
    await reports(user._id);
    const reported = presentReport(await report(services, user._id, body));
    return { report: { ...reported, message_id: reported.message_id ?? body.message_id } };
  });

  serve(api, reportContent, async ({ body, caller: { user } }) => {
    await reports(user._id);
    return { report: presentReport(await reportOther(services, user._id, body)) };
  });

  serve(api, listOwnReports, async ({ caller: { user } }) => ({
    reports: await ownReports(db, user._id),
  }));

  serve(api, listWarnings, async ({ caller: { user } }) => {
    const rows = await findTogether(db, userWarnings(db), () => ({
      filter: { user_id: user._id },
      sort: { created_at: -1 },
      limit: WARNINGS_MAX,
    }));
    return { warnings: await presentForUser(services.db, rows) };
  });

  serve(api, acknowledgeWarning, async ({ params: { id }, body: seen, caller: { user } }) => {
    await services.limitChanges(user._id);
    const own = { _id: id, user_id: user._id };
    const asSeen = seen && {
      lifted_at: seen.is_lifted ? { $ne: null } : null,
      'appeal.answered_at': seen.is_answered ? { $ne: null } : null,
    };
    // An earlier acknowledgement on another device stays.
    const { modifiedCount } = await userWarnings(db).updateOne(
      { ...own, ...asSeen, acknowledged_at: null },
      { $set: { acknowledged_at: new Date() } },
    );
    const row = await userWarnings(db).findOne(own);
    if (!row) throw notFound('Warning');
    // Only if changed: every server receives the signal.
    if (modifiedCount > 0) await signals.send('moderation', user._id);
    return { warning: presentWarning(row) };
  });

  serve(api, appealWarning, async ({ params: { id }, body: { text }, caller: { user } }) => {
    await services.limitChanges(user._id);
    const own = { _id: id, user_id: user._id };
    const row = await userWarnings(db).findOne(own);
    if (!row) throw notFound('Warning');
    if (!isInForce(presentWarning(row), Date.now()))
      throw new HttpError(409, 'This sanction has ended, so you can’t appeal it', {
        code: 'over',
      });
    const appeal = {
      text,
      created_at: new Date(),
      status: 'pending' as const,
      answer: null,
      answered_at: null,
    };
    const appealed = await userWarnings(db).findOneAndUpdate(
      { ...own, appeal: null },
      { $set: { appeal }, $inc: { version: 1 } },
      { returnDocument: 'after' },
    );
    if (!appealed) throw new HttpError(409, 'You’ve already appealed this', { code: 'appealed' });
    await signals.send('moderation', user._id);
    return { warning: presentWarning(appealed) };
  });
}

/** Returns a person’s own reports, newest first. */
async function ownReports(db: Db, reporter_user_id: string): Promise<OwnReport[]> {
  const rows = await messageReports(db)
    .find({ reporter_user_id })
    .sort({ created_at: -1 })
    .limit(OWN_REPORTS_MAX)
    .toArray();
  return rows.map(presentReport);
}
