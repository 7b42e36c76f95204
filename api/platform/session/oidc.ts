import type { Context } from 'koa';
import {
  authorizationCodeGrant,
  buildAuthorizationUrl,
  calculatePKCECodeChallenge,
  ClientError,
  enableNonRepudiationChecks,
  ResponseBodyError,
  type Configuration,
} from 'openid-client';
import { z } from 'zod';
import { HttpError, unavailable } from '#shared/http/http-error.ts';
import { plainAddress } from '#shared/normalization/email-address.ts';
import { NEUTRAL_NAME } from '#shared/profile/shown-names.ts';
import { createSession } from '#shared/session/contract.ts';
import { lenient } from '../http/lenient-fields.ts';
import type { Identity, IdentityProvider } from './identity.ts';

/** The redirect path below our origin. */
export const CALLBACK_PATH = '/auth/callback';

interface OidcSettings {
  isSandbox: boolean;
  /** In every identity. */
  issuer: string;
  /** Has the provider ask a person whom it knows. Google doesn’t support `login`; a choice is the most that it requires. */
  promptAgain: 'login' | 'select_account';
  /** The origin at which the browser sees us. */
  origin(ctx: Context): string;
  /** The provider’s configuration, with our client. */
  configuration(ctx: Context): Promise<Configuration>;
}

const claimsSchema = z.object({
  sub: z.string().min(1),
  email: lenient(z.string()).transform((email) => email ?? ''),
  // Anything but a clear yes is none.
  email_verified: lenient(z.boolean()).transform((isVerified) => isVerified ?? false),
  given_name: lenient(z.string()),
  name: lenient(z.string()),
  picture: lenient(z.string()),
});

/** Creates a sign-in by OpenID Connect, for providers such as Google, and the sandbox. */
export function createOidcProvider(settings: OidcSettings): IdentityProvider {
  // TLS alone already ties the token to the provider. The library fetches its key set, keeps it for five minutes, and fetches it
  // again for a key that it lacks.
  const configurationOf = async (ctx: Context) => {
    const configuration = await settings.configuration(ctx);
    enableNonRepudiationChecks(configuration);
    return configuration;
  };
  const callback = (ctx: Context) => `${settings.origin(ctx)}${CALLBACK_PATH}`;
  return {
    isSandbox: settings.isSandbox,
    issuer: settings.issuer,
    async authorizationUrl(ctx, { state, nonce, verifier }, { loginHint, isAgain } = {}) {
      const configuration = await configurationOf(ctx);
      const url = buildAuthorizationUrl(configuration, {
        redirect_uri: callback(ctx),
        scope: 'openid email profile',
        state,
        nonce,
        code_challenge: await calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
        ...(loginHint ? { login_hint: loginHint } : {}),
        ...(isAgain ? { prompt: settings.promptAgain } : {}),
      });
      return url.href;
    },
    async exchange(ctx, { state: expectedState, nonce, verifier }, code, state) {
      const configuration = await configurationOf(ctx);
      const url = new URL(callback(ctx));
      url.search = new URLSearchParams({ code, state }).toString();
      try {
        const tokens = await authorizationCodeGrant(configuration, url, {
          pkceCodeVerifier: verifier,
          expectedState,
          expectedNonce: nonce,
          idTokenExpected: true,
        });
        return identityOf(settings.issuer, claimsSchema.parse(tokens.claims()));
      } catch (error) {
        throw refusalOfProvider(error);
      }
    },
  };
}

function identityOf(issuer: string, claims: z.output<typeof claimsSchema>): Identity {
  const email = plainAddress(claims.email);
  const name = claims.name || claims.given_name || email.split('@')[0] || NEUTRAL_NAME;
  return {
    issuer,
    subject: claims.sub,
    email,
    email_verified: claims.email_verified,
    given_name: claims.given_name || name.split(' ')[0] || name,
    name,
    picture: claims.picture?.startsWith('https://') ? claims.picture : null,
  };
}

/** A rejected code is the caller’s error; a missing or broken response isn’t. */
function refusalOfProvider(error: unknown): HttpError {
  const codeRefused = error instanceof ResponseBodyError && error.status < 500;
  const answerRefused =
    error instanceof ClientError &&
    /^OAUTH_(INVALID|JWT|UNSUPPORTED|ACCESS|MISSING)/.test(error.code ?? '');
  if (!codeRefused && !answerRefused) return unavailable('google', error);
  return new HttpError(400, createSession.failure, { code: 'sign_in_refused', cause: error });
}
