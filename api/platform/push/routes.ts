import { HttpError } from '#shared/http/http-error.ts';
import {
  getPushKey,
  listActivity,
  readActivity,
  reportVisibility,
  subscribeToPush,
  unsubscribeFromPush,
} from '#shared/push/contract.ts';
import { VISIBLE_SECONDS } from '#shared/push/rules.ts';
import { DAY_MS } from '#shared/time.ts';
import { serve } from '../http/mount-endpoint.ts';
import { readTogether } from '../read-together.ts';
import type { Api } from '../services.ts';
import { activities, pushSubscriptions } from './collections.ts';
import { activityData, pushData } from './personal-data.ts';
import { isAllowedEndpoint } from './push-address.ts';

/** The number of devices per user that receive pushes; another one replaces the oldest. */
const DEVICES_MAX = 20;

/** Subscriptions of devices to pushes. A device is a session: it has one subscription, which ends with it. */
export function mountPush(api: Api): void {
  const { services } = api;
  const { db, env, push } = services;
  const rows = pushSubscriptions(db);
  const subscriptionOf = readTogether(db, rows, undefined, { public_key: 1 });
  services.personalData.add(pushData(db));
  services.personalData.add(activityData(db));
  const limit = services.limiter({ name: 'push', points: 120, seconds: 600 });

  serve(api, listActivity, async ({ caller: { user } }) => ({
    activity: await push.activities(user._id),
  }));

  serve(api, readActivity, async ({ caller: { user }, body: { until } }) => {
    await services.limitChanges(user._id);
    await activities(db).updateMany(
      { user_id: user._id, at: { $lte: new Date(until) } },
      { $set: { is_read: true } },
    );
    services.events.send(user._id, { type: 'activity' });
    return {};
  });

  serve(api, getPushKey, async ({ caller }) => {
    const { publicKey } = await push.keys();
    const own = await subscriptionOf(caller.session._id);
    return { public_key: publicKey, is_subscribed: own?.public_key === publicKey };
  });

  serve(api, subscribeToPush, async ({ caller: { user, session }, body }) => {
    await limit(user._id);
    const { endpoint, keys } = body;
    const addresses = { services: env.pushServices, allowLoopback: env.hasSandbox };
    if (!isAllowedEndpoint(endpoint, addresses))
      throw new HttpError(400, 'This push service isn’t supported', {
        fields: { endpoint: 'Must be an https URL of a known push service' },
      });
    const { publicKey } = await push.keys();
    const now = new Date();
    const row = {
      user_id: user._id,
      endpoint,
      p256dh: keys.p256dh,
      auth: keys.auth,
      public_key: publicKey,
      created_at: now,
      visible_until: null,
      check_at: new Date(now.getTime() + DAY_MS),
    };
    await rows.replaceOne({ _id: session._id }, row, { upsert: true });
    // The same browser, signed in before as this or another user.
    await rows.deleteMany({ endpoint, _id: { $ne: session._id } });
    const older = await rows
      .find({ user_id: user._id }, { projection: { _id: 1 } })
      .sort({ created_at: -1 })
      .skip(DEVICES_MAX)
      .toArray();
    if (older.length > 0) await rows.deleteMany({ _id: { $in: older.map(({ _id }) => _id) } });
    return {};
  });

  serve(api, unsubscribeFromPush, async ({ caller: { session } }) => {
    await rows.deleteOne({ _id: session._id });
    return {};
  });

  serve(api, reportVisibility, async ({ caller: { user, session }, body }) => {
    await limit(user._id);
    const { is_visible, number, shown } = body;
    const visible_until = is_visible ? new Date(Date.now() + VISIBLE_SECONDS * 1000) : null;
    await push.dropShown(user._id, shown);
    // One that a later report has overtaken changes nothing.
    const isLatest =
      number === undefined
        ? {}
        : { $or: [{ report_number: { $exists: false } }, { report_number: { $lt: number } }] };
    const { matchedCount } = await rows.updateOne(
      { _id: session._id, ...isLatest },
      { $set: { visible_until, ...(number !== undefined && { report_number: number }) } },
    );
    if (matchedCount > 0 && !is_visible) await push.release(session._id);
    return {};
  });
}
