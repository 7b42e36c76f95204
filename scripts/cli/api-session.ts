import { createCode } from '#shared/access-gate/admin-contract.ts';
import { validateCode } from '#shared/access-gate/contract.ts';
import { health } from '#shared/health/contract.ts';
import { createSession, redirectUrl, type CurrentUser } from '#shared/session/contract.ts';
import { CallError, caller } from '../../client/http/api-client.ts';
import { CookieJar } from './cookie-jar.ts';

/** Who may make access codes wherever the stand-in for sign-in runs and ADMIN_EMAILS says nothing else. */
export const ADMIN_EMAIL = 'admin@example.com';

/** Somebody with an HTTP client and cookies, as the api sees a browser. */
export interface Visitor {
  user: CurrentUser;
  call: Call;
  jar: CookieJar;
}

type Call = ReturnType<typeof caller>;

/** Ends the process and says why where no Leashwise answers: what else it would do makes no sense. */
export async function requireRunning(origin: string): Promise<void> {
  try {
    await caller({ origin })(health);
  } catch (error) {
    if (!(error instanceof CallError) || error.status > 0) throw error;
    console.error(
      `Nothing answers at ${origin}. Start Leashwise first (npm start), or say with --origin where it runs.`,
    );
    process.exit(1);
  }
}

/**
 * Walks through the stand-in for Google.
 * @param origin where Leashwise is, without a slash at the end
 * @param locationOf asks for an address, without following, and says where it leads
 * @returns what `createSession` takes
 * @throws where real sign-in is configured, which nobody can do for a person
 */
export async function signInCode(
  origin: string,
  call: Call,
  email: string,
  locationOf: (url: URL) => Promise<string | null | undefined>,
): Promise<{ code: string; state: string }> {
  const started = await call(redirectUrl, { query: { login_hint: email } });
  if (!started.is_sandbox) throw new Error(`${origin} signs people in with Google itself`);
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
  throw new Error(`the stand-in did not sign ${email} in: it stopped at ${next}`);
}

/** Signs somebody in, as `signInCode`. */
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

/** Makes an access code, as the admin does. @param maxUses without it, as many as come */
export async function makeCode(origin: string, maxUses?: number): Promise<string> {
  const admin = await signIn(origin, ADMIN_EMAIL);
  const code = `V-${crypto.randomUUID().slice(0, 12).toUpperCase()}`;
  await admin.call(createCode, { body: { code, max_uses: maxUses ?? null } });
  return code;
}

/** Takes a signed-in visitor past the gate, with a code that the admin makes for it. */
export async function passGate(origin: string, visitor: Visitor): Promise<void> {
  await visitor.call(validateCode, { body: { code: await makeCode(origin, 1) } });
}
