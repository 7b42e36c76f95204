import { createCode } from '#shared/access-gate/admin-contract.ts';
import { validateCode } from '#shared/access-gate/contract.ts';
import { createSession, redirectUrl, type CurrentUser } from '#shared/session/contract.ts';
import { caller } from '../client/call.ts';

/** Who may make access codes wherever the stand-in for sign-in runs and ADMIN_EMAILS says nothing else. */
const ADMIN_EMAIL = 'admin@example.com';

/** Somebody with an HTTP client and cookies, as the api sees a browser. */
export interface Visitor {
  user: CurrentUser;
  call: ReturnType<typeof caller>;
  /** The value of the Cookie header that this visitor sends. */
  cookie(): string;
}

/**
 * Signs somebody in through the stand-in for Google.
 * @param origin where Leashwise is, without a slash at the end
 * @throws where real sign-in is configured, which nobody can do for a person
 */
export async function signIn(origin: string, email: string): Promise<Visitor> {
  const jar = new Map<string, string>();
  const cookie = () => Array.from(jar, ([name, value]) => `${name}=${value}`).join('; ');
  const send: typeof fetch = async (input, init) => {
    const headers = new Headers(init?.headers);
    if (jar.size > 0) headers.set('cookie', cookie());
    const answer = await fetch(input, { ...init, headers, redirect: 'manual' });
    for (const line of answer.headers.getSetCookie()) {
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (name === undefined || value === undefined) continue;
      if (value === '') jar.delete(name);
      else jar.set(name, value);
    }
    return answer;
  };
  const call = caller({ origin, fetch: send });
  const started = await call(redirectUrl, { query: { login_hint: email } });
  if (!started.stand_in) throw new Error(`${origin} signs people in with Google itself`);
  let next = started.redirectUrl;
  for (let hops = 0; hops < 5; hops++) {
    const url = new URL(next, origin);
    const code = url.searchParams.get('code');
    if (url.pathname === '/auth/callback' && code) {
      const state = url.searchParams.get('state') ?? undefined;
      const { user } = await call(createSession, { body: { code, state } });
      return { user, call, cookie };
    }
    const location = (await send(url)).headers.get('location');
    if (!location) break;
    next = new URL(location, url).href;
  }
  throw new Error(`the stand-in did not sign ${email} in: it stopped at ${next}`);
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
