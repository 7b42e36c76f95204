import type { Context } from 'koa';
import type { Db } from 'mongodb';
import { randomNonce, randomPKCECodeVerifier, randomState } from 'openid-client';
import { ACCESS_COOKIE } from '#shared/access-gate/contract.ts';
import { HttpError } from '#shared/http/http-error.ts';
import type { UserRow } from '#shared/server/collections.ts';
import { createSession, logout, me, redirectUrl } from '#shared/session/contract.ts';
import { SESSION_COOKIE } from '#shared/session/cookies.ts';
import { sessionMaxMs } from '#shared/session/rules.ts';
import { DAY_MS } from '#shared/time.ts';
import { endSessions } from '../end-sessions.ts';
import { clearCookie, clearHttpCache, setCookie } from '../http/cookies.ts';
import { serve } from '../http/mount-endpoint.ts';
import { addressOf, networkOf, refuseCrossSite } from '../http/request-origin.ts';
import type { Api, Services } from '../services.ts';
import { ensureDocuments } from '../user-documents.ts';
import { sessions, users } from './collections.ts';
import { deviceName } from './device-name.ts';
import { createOpenIdSignIn } from './openid-provider.ts';
import { sessionData } from './personal-data.ts';
import { createSandboxSignIn } from './sandbox.ts';
import { mountSessionList } from './session-list.ts';
import { beginAttempt, endAttempt, findAttempt } from './sign-in-attempts.ts';
import { alignUsers, openSession, presentUser, userOf } from './users.ts';

const refused = (code: string) => new HttpError(400, createSession.failure, { code });

/** What features do when somebody signs in. */
export interface SignInSteps {
  /** Runs before anything else of the user exists. */
  admit(services: Services, user: UserRow): Promise<void>;
  /** Gives the user what the browser did before. */
  adopt(services: Services, ctx: Context, user: UserRow): Promise<void>;
  hasProfile(db: Db, userId: string): Promise<boolean>;
}

/** Sign-in, sign-out, and the current user. */
export async function mountSession(api: Api, steps: SignInSteps): Promise<void> {
  const { services } = api;
  const { env, db, signals, log } = services;
  const provider = env.google
    ? createOpenIdSignIn(env.google, env.PUBLIC_ORIGIN)
    : createSandboxSignIn(api);
  const limit = services.limiter({ name: 'sign-in', points: 120, seconds: 60 });
  await alignUsers(db, provider.issuer, env.adminEmails);
  services.registerJob('sessions', () =>
    sessions(db).deleteMany({ expires_at: { $lt: new Date(Date.now() - DAY_MS) } }),
  );

  services.personalData.add(sessionData(services));

  mountSessionList(api);

  serve(api, redirectUrl, async ({ query, ctx }) => {
    refuseCrossSite(ctx, env.PUBLIC_ORIGIN);
    await limit(networkOf(addressOf(ctx)));
    const secrets = {
      state: randomState(),
      nonce: randomNonce(),
      verifier: randomPKCECodeVerifier(),
    };
    const url = await provider.authorizationUrl(ctx, secrets, {
      loginHint: query.login_hint,
      isAgain: query.again === true,
    });
    beginAttempt(ctx, secrets);
    return { redirectUrl: url, is_sandbox: provider.isSandbox };
  });

  serve(api, createSession, async ({ body, ctx, visitor }) => {
    await limit(networkOf(addressOf(ctx)));
    // `state` is optional in the contract: then only the cookie binds the code to this browser.
    const secrets = findAttempt(ctx, body.state);
    if (secrets === undefined) throw refused('sign_in_expired');
    if (secrets === null) throw refused('sign_in_refused');
    endAttempt(ctx, secrets);
    const identity = await provider.exchange(ctx, secrets, body.code, secrets.state);
    const { user, isNew } = await userOf(db, identity, env);
    // No server has cached a new user.
    if (!isNew) await signals.send('user', user._id);
    await steps.admit(services, user);
    await ensureDocuments(services, user).catch((err: unknown) =>
      log.warn({ err }, 'could not create the documents of a new user yet'),
    );
    await steps.adopt(services, ctx, user);
    if (visitor) await endSessions(services, visitor.user._id, { _id: visitor.session._id });
    const token = await openSession(db, user, deviceName(ctx.get('user-agent')));
    // The session’s maximum lifetime; the server ends an unused session earlier.
    setCookie(ctx, SESSION_COOKIE, token, sessionMaxMs(user) / 1000);
    const [current, has_profile] = await Promise.all([
      users(db).findOne({ _id: user._id }),
      steps.hasProfile(db, user._id),
    ]);
    return { user: presentUser(current ?? user), has_profile };
  });

  serve(api, me, async ({ caller: { user } }) => {
    // Needed only if the sync server was down at sign-up; the response doesn’t wait for it.
    ensureDocuments(services, user).catch((err: unknown) =>
      log.warn({ err }, 'could not create the documents of a user yet'),
    );
    return presentUser(user);
  });

  serve(api, logout, async ({ visitor, ctx }) => {
    refuseCrossSite(ctx, env.PUBLIC_ORIGIN);
    if (visitor) await endSessions(services, visitor.user._id, { _id: visitor.session._id });
    clearHttpCache(ctx);
    clearCookie(ctx, SESSION_COOKIE);
    clearCookie(ctx, ACCESS_COOKIE);
    return {};
  });
}
