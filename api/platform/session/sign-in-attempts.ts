import type { Context } from 'koa';
import { z } from 'zod';
import { clearCookie, cookiesNamed, setCookie } from '../http/cookies.ts';
import type { SignInSecrets } from './identity.ts';

/** Each attempt has a cookie of its own, so that a sign-in that begins in another tab doesn't end the first. */
const SIGN_IN_COOKIE = 'sign-in-';
const SIGN_IN_SECONDS = 600;
/** How many unfinished attempts a browser keeps; the oldest is dropped. */
const ATTEMPTS_MAX = 5;

const attemptSchema = z.object({
  state: z.string(),
  nonce: z.string(),
  verifier: z.string(),
  begun_at: z.number(),
});
type Attempt = z.output<typeof attemptSchema>;

/** The name of an attempt's cookie: a part of the state is enough to tell attempts apart. */
const nameOf = (state: string) => `${SIGN_IN_COOKIE}${state.slice(0, 12)}`;

function decode(cookie: string): Attempt | null {
  try {
    const text = Buffer.from(cookie, 'base64url').toString();
    return attemptSchema.safeParse(JSON.parse(text)).data ?? null;
  } catch {
    return null;
  }
}

/** Returns the attempts that this browser has begun, newest first; `attempt` is null where the cookie is invalid. */
const attemptsOf = (ctx: Context) =>
  cookiesNamed(ctx, SIGN_IN_COOKIE)
    .map(({ name, value }) => ({ name, attempt: decode(value) }))
    .toSorted((a, b) => (b.attempt?.begun_at ?? 0) - (a.attempt?.begun_at ?? 0));

/** Stores the secrets of a new attempt in the browser, and drops its oldest ones. */
export function beginAttempt(ctx: Context, secrets: SignInSecrets): void {
  for (const { name } of attemptsOf(ctx).slice(ATTEMPTS_MAX - 1)) clearCookie(ctx, name);
  const attempt: Attempt = { ...secrets, begun_at: Date.now() };
  const value = Buffer.from(JSON.stringify(attempt)).toString('base64url');
  setCookie(ctx, nameOf(secrets.state), value, SIGN_IN_SECONDS);
}

/**
 * Returns the secrets of the attempt with this state, of the newest one without a state; undefined if there are no attempts, and
 * null if none has this state.
 */
export function findAttempt(ctx: Context, state: string | undefined) {
  const attempts = attemptsOf(ctx).flatMap(({ attempt }) => attempt ?? []);
  if (attempts.length === 0) return undefined;
  return attempts.find((attempt) => state === undefined || attempt.state === state) ?? null;
}

/** Removes an attempt: its code is used once. */
export const endAttempt = (ctx: Context, { state }: SignInSecrets): void =>
  clearCookie(ctx, nameOf(state));
