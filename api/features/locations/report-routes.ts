import { notFound } from '#shared/http/http-error.ts';
import { reportProblem } from '#shared/locations/contract.ts';
import { serve } from '../../platform/http/mount-endpoint.ts';
import type { Api } from '../../platform/services.ts';
import { locationTips, locationReports } from './collections.ts';
import { countReports } from './location-stats.ts';
import { findVisible } from './store.ts';

/** Reports about places and tips, for admins. */
export function mountReports(api: Api): void {
  const { services } = api;
  const { db } = services;
  const limit = services.limiter({ name: 'location-reports', points: 30, seconds: 3_600 });

  serve(api, reportProblem, async ({ body, caller: { user } }) => {
    await limit(user._id);
    const location = await findVisible(db, body.location_id, user._id);
    const { tip_id } = body;
    const tip = tip_id
      ? await locationTips(db).findOne({
          _id: tip_id,
          location_id: location._id,
          is_public: true,
          is_active: true,
        })
      : null;
    if (tip_id && !tip) throw notFound('Tip');
    const subject_id = tip?._id ?? location._id;
    await locationReports(db).replaceOne(
      { _id: `${subject_id} ${user._id}` },
      {
        kind: tip ? 'tip' : 'location',
        subject_id,
        location_id: location._id,
        reporter_user_id: user._id,
        report_type: body.report_type,
        description: body.description || null,
        status: 'pending',
        created_at: new Date(),
        resolved_at: null,
      },
      { upsert: true },
    );
    await countReports(db, location._id);
    return {};
  });
}
