import { randomBytes } from 'node:crypto';
import { performance } from 'node:perf_hooks';
import { Router } from '@koa/router';
import Koa, { type Context, type Next } from 'koa';
import type { Db } from 'mongodb';
import { ACCESS_COOKIE } from '#shared/access-gate/contract.ts';
import { health } from '#shared/health/contract.ts';
import { failureOf, HttpError, refusalOf } from '#shared/http/http-error.ts';
import type { UserRow } from '#shared/server/collections.ts';
import { withTraceOf } from '#shared/server/log.ts';
import { tieGrant } from '../features/access-gate/grants.ts';
import { isShownLogo } from '../features/charities/logos.ts';
import { isChatFileOwner, maySeeChatFile } from '../features/chat/attachments.ts';
import { markJoined } from '../features/invitations/mark-joined.ts';
import { idsOfSearch } from '../features/moderation/people-search.ts';
import { reapplyBan } from '../features/moderation/sanctions.ts';
import { claimDonations } from '../features/payments/donation-ownership.ts';
import { cards } from '../features/profile/collections.ts';
import { countInvited } from '../features/referrals/count-invited.ts';
import { pairs } from '../features/relationships/collections.ts';
import { pairId, storedCardOf } from '../features/relationships/relationship.ts';
import { mountAdmin } from '../platform/admin/routes.ts';
import { mountClientErrors } from '../platform/client-errors/routes.ts';
import { mountEvents } from '../platform/events/routes.ts';
import { isPublicOwner } from '../platform/files/public-owner.ts';
import { mountFiles, type MayReadFile } from '../platform/files/routes.ts';
import { setCookieOrigin, clearCookie, readCookie } from '../platform/http/cookies.ts';
import { refuseCrossSite, refuseOtherHosts } from '../platform/http/request-origin.ts';
import { mountMailQueue } from '../platform/mail-queue/routes.ts';
import { mountPush } from '../platform/push/routes.ts';
import type { Api, Services } from '../platform/services.ts';
import { mountSession, type SignInSteps } from '../platform/session/routes.ts';
import { FEATURES } from './features.ts';
import { mountHealth } from './health/routes.ts';
import { mountOverview } from './overview/routes.ts';
import { mountStart } from './start.ts';
import { namesOfSubjects } from './subject-names.ts';

/** What features do when somebody signs in. */
const SIGN_IN: SignInSteps = {
  admit: reapplyBan,

  async adopt(services, ctx, user) {
    await tieGrant(services, readCookie(ctx, ACCESS_COOKIE), user._id);
    clearCookie(ctx, ACCESS_COOKIE);
    await countInvited(services, user._id);
    await markJoined(services, user._id);
    await claimDonations(services, ctx, user);
  },

  async hasProfile(db, userId) {
    const card = await cards(db).findOne({ _id: userId }, { projection: { display_name: 1 } });
    return Boolean(card?.display_name);
  },
};

/**
 * A key learned as a friend stops working after a block. Until the blocked user sees the end of the friendship, the
 * pictures of that time are shown. Admins may view images in reports.
 */
async function isBlocked(db: Db, { _id, is_admin }: UserRow, owner: string, key: string) {
  if (is_admin || owner === _id || isPublicOwner(owner)) return false;
  const pair = await pairs(db).findOne({ _id: pairId(_id, owner), relationship: 'blocked' });
  if (!pair) return false;
  return !storedCardOf(pair, _id)?.dogs.some(({ image_key }) => image_key === key);
}

/** Files of chats are for those in the thread, other pictures for everyone who has their key and is not blocked. */
const mayReadFile: MayReadFile = async (db, reader, { owner, key }) => {
  // Devices store them themselves, and remove them with their messages.
  if (isChatFileOwner(owner))
    return { mayRead: await maySeeChatFile(db, reader._id, owner, key), isStored: false };
  return { mayRead: !(await isBlocked(db, reader, owner, key)), isStored: true };
};

export const HEALTH_PATH = `/api${health.path}`;

/** Headers of every API response. The gateway sets the headers of the page itself. */
const HEADERS = {
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
};

/** Errors for responses that the router leaves without a body. */
const UNANSWERED: Record<number, string> = {
  404: 'Not found',
  405: 'Method not allowed',
  501: 'Method not allowed',
};

/** Mounts all features on one router, below /api. */
export async function createApp(services: Services): Promise<Koa> {
  const router = new Router({ prefix: '/api' });
  const api: Api = { router, services, direct: new Map(), offers: {} };
  await mountSession(api, SIGN_IN);
  mountAdmin(api, idsOfSearch, namesOfSubjects);
  mountClientErrors(api);
  mountFiles(api, { mayReadFile, isShownToAll: isShownLogo });
  mountEvents(api);
  mountMailQueue(api);
  mountPush(api);
  mountOverview(api);
  mountHealth(api);
  mountStart(api);
  for (const { personalData = [], mount } of FEATURES) {
    for (const handlerOf of personalData) services.personalData.add(handlerOf(services));
    await mount?.(api);
  }
  // Only now have all features registered the images that they use.
  services.registerJob('orphaned images', () => services.images.runJob());

  const app = new Koa();
  setCookieOrigin(app, services.env.PUBLIC_ORIGIN);
  app.use((ctx, next) => withTraceOf(ctx.req.headers, next));
  app.use(answering(services));
  app.use((ctx, next) => {
    const call = api.direct.get(`${ctx.method} ${ctx.path}`);
    if (!call) return next();
    ctx['params'] = {};
    ctx['_matchedRoute'] = ctx.path;
    return call.respond(ctx);
  });
  app.use(router.routes());
  app.use(router.allowedMethods());
  app.on('error', (err: unknown) => services.log.warn({ err }, 'a response was interrupted'));
  return app;
}

/** Sets headers, rejects other sites’ writes, formats errors, and measures and logs each request, except health checks. */
function answering({ env, log, metrics }: Services) {
  const durations = metrics.histogram(
    'http_request_seconds',
    'Requests by method, path template and status, and how long they took.',
    { labelNames: ['method', 'path', 'status'] },
  );
  const boot = randomBytes(4).toString('hex');
  let count = 0;
  return async (ctx: Context, next: Next): Promise<void> => {
    const startedAt = performance.now();
    const id = `${boot}-${(++count).toString(36)}`;
    ctx.set(HEADERS);
    ctx.set('x-request-id', id);
    let cause: unknown;
    try {
      refuseOtherHosts(ctx, env.PUBLIC_ORIGIN);
      if (ctx.method !== 'GET' && ctx.method !== 'HEAD') refuseCrossSite(ctx, env.PUBLIC_ORIGIN);
      await next();
      const words = ctx.body == null ? UNANSWERED[ctx.status] : undefined;
      if (words) throw new HttpError(ctx.status, words);
    } catch (thrown) {
      const refusal = refusalOf(thrown, ctx.state['failure'] as string | undefined);
      cause = refusal.cause;
      ctx.status = refusal.status;
      ctx.set(refusal.headers);
      ctx.body = failureOf(refusal, ctx.state['failureFields'] as object | undefined);
    }
    // Balancers ask each second: these would be most lines, and failed requests where nobody's request fails.
    if (ctx.path === HEALTH_PATH) return;
    // No cookies, queries, or bodies: only ids and the path template of the contract.
    const line = {
      id,
      method: ctx.method,
      path: (ctx['_matchedRoute'] as string | undefined) ?? 'unknown',
      status: ctx.status,
      ms: Math.round((performance.now() - startedAt) * 10) / 10,
      user: ctx.state['userId'] as string | undefined,
    };
    durations.observe(
      { method: line.method, path: line.path, status: line.status },
      line.ms / 1000,
    );
    if (ctx.status >= 500) log.error({ ...line, err: cause }, 'request failed');
    else log.info(line, 'request handled');
  };
}
