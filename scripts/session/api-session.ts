import { createCode } from '#shared/access-gate/admin-contract.ts';
import { validateCode } from '#shared/access-gate/contract.ts';
import { health } from '#shared/health/contract.ts';
import { newId } from '#shared/ids.ts';
import { createSession, redirectUrl, type CurrentUser } from '#shared/session/contract.ts';
import { CallError, caller } from '../../client/platform/http/api-client.ts';
import { CookieJar } from './cookie-jar.ts';

/** An admin by default, unless ADMIN_EMAILS is set. */
export const ADMIN_EMAIL = 'admin@example.com';

/** A signed-in user with an HTTP client and cookies, like a browser. */
export interface Visitor {
  user: CurrentUser;
  call: Call;
  jar: CookieJar;
}

type Call = ReturnType<typeof caller>;

/** Exits with a message if Leashwise isn't running at an origin. */
export async function requireRunning(origin: string): Promise<void> {
  try {
    await caller({ origin })(health);
  } catch (error) {
    if (!(error instanceof CallError) || error.status > 0) throw error;
    console.error(
      `Leashwise isn't running at ${origin}. Start it with npm start, or set --origin to its address.`,
    );
    process.exit(1);
  }
}

/**
 * Signs in at the sandbox identity provider.
 * @param origin without a slash at the end
 * @param locationOf requests a URL without following redirects, and returns the `Location` header
 * @returns the body of `createSession`
 * @throws when real sign-in is configured
 */
export async function signInCode(
  origin: string,
  call: Call,
  email: string,
  locationOf: (url: URL) => Promise<string | null | undefined>,
): Promise<{ code: string; state: string }> {
  const started = await call(redirectUrl, { query: { login_hint: email } });
  if (!started.is_sandbox) throw new Error(`${origin} uses real Google sign-in`);
  let next = started.redirectUrl;
  for (let hops = 0; hops < 5; hops++) {
    const url = new URL(next, origin);
    const [code, state] = [url.searchParams.get('code'), url.searchParams.get('state')];
    const isBack = url.origin === origin && url.pathname === '/auth/callback';
    if (isBack && code && state) return { code, state };
    const location = await locationOf(url);
    if (!location) break;
    next = new URL(location, url).href;
  }
  throw new Error(`The sandbox sign-in of ${email} stopped at ${next}`);
}

/** Signs a user in; see `signInCode`. */
export async function signIn(
  origin: string,
  email: string,
  jar = new CookieJar(),
): Promise<Visitor> {
  const call = caller({ origin, fetch: jar.fetch });
  const body = await signInCode(origin, call, email, jar.locationOf);
  const { user } = await call(createSession, { body });
  return { user, call, jar };
}

/** Creates an access code as an admin. @param maxUses by default, unlimited */
export async function makeCode(origin: string, maxUses?: number): Promise<string> {
  const admin = await signIn(origin, ADMIN_EMAIL);
  const code = `V-${newId().slice(0, 12).toUpperCase()}`;
  await admin.call(createCode, { body: { code, max_uses: maxUses ?? null } });
  return code;
}

/** Signs a user in and passes the access gate. */
export async function signInMember(origin: string, email: string): Promise<Visitor> {
  const visitor = await signIn(origin, email);
  await passGate(origin, visitor);
  return visitor;
}

/** Passes the access gate with a new access code. */
export async function passGate(origin: string, visitor: Visitor): Promise<void> {
  await visitor.call(validateCode, { body: { code: await makeCode(origin, 1) } });
}
