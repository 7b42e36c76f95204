import { hasAccess } from '#shared/rows.ts';
import { dropLocation, events, reportLocation } from '#shared/proximity/contract.ts';
import { SESSION_COOKIE } from '#shared/session/contract.ts';
import { readCookie } from '../cookies.ts';
import { EventStreams } from '../events/streams.ts';
import { serve, serveStream } from '../serve.ts';
import type { Api } from '../services.ts';
import { keepLookout } from './lookout.ts';
import { eventId } from './meetings.ts';

/** Position reports, and the events that tell of meetings. */
export function mountProximity(api: Api): void {
  const { services } = api;
  const streams = new EventStreams();
  services.onClose(() => streams.close());
  const lookout = keepLookout(services, streams);
  // Once a second is the fastest rhythm; trying out positions to find where somebody is takes more.
  const reports = services.limiter({ name: 'location', points: 120, seconds: 60 });
  const connects = services.limiter({ name: 'events', points: 60, seconds: 60 });

  serve(api, reportLocation, async ({ caller, body }) => {
    await reports(caller.user._id);
    return lookout.report(caller.user._id, body);
  });

  serve(api, dropLocation, async ({ caller }) => {
    await lookout.drop(caller.user._id);
    return {};
  });

  serveStream(api, events, async ({ caller, ctx }) => {
    const userId = caller.user._id;
    await connects(userId);
    const token = readCookie(ctx, SESSION_COOKIE) ?? '';
    const isAllowed = async () => {
      const now = await services.people.callerOf(token);
      return now !== null && hasAccess(now.user, new Date());
    };
    const lastId = ctx.get('last-event-id');
    ctx.respond = false;
    streams.open(userId, ctx.res, lastId || eventId(Date.now()), isAllowed);
    if (!lastId) return;
    const missed = await lookout.missed(userId, lastId).catch((error: unknown) => {
      // The browser comes back and asks again.
      ctx.res.destroy();
      throw error;
    });
    for (const { id, event } of missed) streams.catchUp(userId, ctx.res, event, id);
  });
}
