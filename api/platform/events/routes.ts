import { events } from '#shared/events/contract.ts';
import { mayPass } from '#shared/server/collections.ts';
import { SESSION_COOKIE } from '#shared/session/cookies.ts';
import { LAST_USE_HOURS, lastsUntil } from '#shared/session/rules.ts';
import { HOUR_MS } from '#shared/time.ts';
import { readCookie } from '../http/cookies.ts';
import { serveStream } from '../http/mount-endpoint.ts';
import type { Api } from '../services.ts';
import { eventId } from './event-id.ts';
import { createOpenSessions } from './open-sessions.ts';

/** Mounts the stream of server-sent events that all features share. */
export function mountEvents(api: Api): void {
  const { services } = api;
  const { events: streams, log, people, push, signals } = services;
  const connects = services.limiter({ name: 'events', points: 60, seconds: 60 });

  const stopListening = signals.listen((signal) => {
    if (signal === 'lost') streams.recheckAll();
    else if (signal.topic === 'user' || signal.topic === 'session') streams.recheck(signal.user_id);
  });
  // Its page is not on the screen any more, whether it said so or not.
  const devices = createOpenSessions((sessionId) =>
    push.left(sessionId).catch((err: unknown) => log.warn({ err }, 'failed to release pushes')),
  );
  services.onClose(() => {
    stopListening();
    devices.close();
    streams.close();
  });

  serveStream(api, events, async ({ caller, ctx }) => {
    const userId = caller.user._id;
    await connects(userId);
    const token = readCookie(ctx, SESSION_COOKIE) ?? '';
    const check = async () => {
      const current = await people.callerOf(token);
      const now = new Date();
      if (!current || !mayPass(current.user, now)) return null;
      // An open stream counts as use, which extends the session.
      const used = now.getTime() + LAST_USE_HOURS * HOUR_MS;
      return new Date(Math.min(used, lastsUntil(current.session, current.user).getTime()));
    };
    const lastId = ctx.get('last-event-id');
    ctx.respond = false;
    ctx.res.once('close', devices.opened(caller.session._id));
    streams.open(userId, ctx.res, lastId || eventId(Date.now()), check);
    if (!lastId) return;
    const missed = await streams.missed(userId, lastId).catch((error: unknown) => {
      // The browser reconnects and tries again.
      ctx.res.destroy();
      throw error;
    });
    for (const event of missed) streams.catchUp(userId, ctx.res, event);
  });
}
