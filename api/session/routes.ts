import { randomNonce, randomPKCECodeVerifier, randomState } from 'openid-client';
import { ACCESS_COOKIE } from '#shared/access-gate/contract.ts';
import {
  createSession,
  logout,
  me,
  redirectUrl,
  SESSION_COOKIE,
} from '#shared/session/contract.ts';
import { DAY_MS } from '#shared/time.ts';
import { z } from 'zod';
import { tieGrant } from '../access-gate/grants.ts';
import { clearCookie, LONGEST_COOKIE_SECONDS, readCookie, setCookie } from '../cookies.ts';
import { addressOf, networkOf, refuseCrossSite } from '../origin.ts';
import { ensureDocuments } from '../own-documents.ts';
import { knowDonor } from '../payments/donors.ts';
import type { Caller } from '../people.ts';
import { Refusal } from '../refusal.ts';
import { serve } from '../serve.ts';
import type { Api } from '../services.ts';
import { google } from './google.ts';
import { meetAgain } from '../moderation/measures.ts';
import { heldSessions } from './held.ts';
import type { SignInSecrets } from './identity.ts';
import { standIn } from './stand-in.ts';
import { alignUsers, openSession, presentUser, userOf } from './users.ts';

const SIGN_IN_COOKIE = '__Host-sign-in';
const SIGN_IN_SECONDS = 600;

const secretsSchema = z.object({ state: z.string(), nonce: z.string(), verifier: z.string() });

const sealed = (secrets: SignInSecrets): string =>
  Buffer.from(JSON.stringify(secrets)).toString('base64url');

function opened(cookie: string | undefined): SignInSecrets | null {
  try {
    const text = Buffer.from(cookie ?? '', 'base64url').toString();
    return secretsSchema.safeParse(JSON.parse(text)).data ?? null;
  } catch {
    return null;
  }
}

const refused = (code: string) => new Refusal(400, createSession.failure, { code });

/** Signing in and out, and who one is. */
export async function mountSession(api: Api): Promise<void> {
  const { services } = api;
  const { env, database, documents, signals, log } = services;
  const provider = env.google ? google(env.google, env.PUBLIC_ORIGIN) : standIn(api);
  const limit = services.limiter({ name: 'sign-in', points: 120, seconds: 60 });
  await alignUsers(database, provider.issuer, env.adminEmails);
  services.sweep('sessions', () =>
    database.sessions.deleteMany({ expires_at: { $lt: new Date(Date.now() - DAY_MS) } }),
  );

  services.holdings.add(heldSessions(services));

  /** Ends a session everywhere; the sync server hears of it at once, or by the signal. */
  async function revoke({ session, user }: Caller): Promise<void> {
    await database.sessions.updateOne({ _id: session._id }, { $set: { revoked_at: new Date() } });
    await signals.send('session', user._id);
    documents
      .disconnect({ session_id: session._id })
      .catch((err: unknown) => log.warn({ err }, 'the sync server was not told of a logout'));
  }

  serve(api, redirectUrl, async ({ query, ctx }) => {
    refuseCrossSite(ctx, env.PUBLIC_ORIGIN);
    await limit(networkOf(addressOf(ctx)));
    const secrets = {
      state: randomState(),
      nonce: randomNonce(),
      verifier: randomPKCECodeVerifier(),
    };
    const url = await provider.authorizationUrl(ctx, secrets, query.login_hint);
    setCookie(ctx, SIGN_IN_COOKIE, sealed(secrets), SIGN_IN_SECONDS);
    return { redirectUrl: url, stand_in: provider.isStandIn };
  });

  serve(api, createSession, async ({ body, ctx, visitor }) => {
    await limit(networkOf(addressOf(ctx)));
    const secrets = opened(readCookie(ctx, SIGN_IN_COOKIE));
    if (!secrets) throw refused('sign_in_expired');
    // The documented body has no state: then the cookie alone binds the code to this browser.
    if (body.state !== undefined && body.state !== secrets.state) throw refused('sign_in_refused');
    clearCookie(ctx, SIGN_IN_COOKIE);
    const identity = await provider.exchange(ctx, secrets, body.code, secrets.state);
    const user = await userOf(database, identity, env.adminEmails);
    await signals.send('user', user._id);
    await meetAgain(services, user);
    await ensureDocuments(services, user).catch((err: unknown) =>
      log.warn({ err }, 'documents of a new user are made later'),
    );
    await tieGrant(services, readCookie(ctx, ACCESS_COOKIE), user._id);
    clearCookie(ctx, ACCESS_COOKIE);
    await knowDonor(services, ctx, user._id);
    if (visitor) await revoke(visitor);
    // The cookie may outlive the session: the server alone says when that ends.
    const token = await openSession(database, user._id);
    setCookie(ctx, SESSION_COOKIE, token, LONGEST_COOKIE_SECONDS);
    const current = await database.users.findOne({ _id: user._id });
    return { user: presentUser(current ?? user) };
  });

  serve(api, me, async ({ caller: { user } }) => {
    // Only after a sign-up without the sync server is there anything to do; who one is need not wait for it.
    ensureDocuments(services, user).catch((err: unknown) =>
      log.warn({ err }, 'documents of a user are made later'),
    );
    return presentUser(user);
  });

  serve(api, logout, async ({ visitor, ctx }) => {
    refuseCrossSite(ctx, env.PUBLIC_ORIGIN);
    if (visitor) await revoke(visitor);
    clearCookie(ctx, SESSION_COOKIE);
    clearCookie(ctx, ACCESS_COOKIE);
    return {};
  });
}
