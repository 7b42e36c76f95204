import { allowInsecureRequests, discovery, type Configuration } from 'openid-client';
import { unavailable } from '#shared/http/http-error.ts';
import { isLoopbackOrigin } from '#shared/server/public-origin.ts';
import type { IdentityProvider } from './identity.ts';
import { createOidcProvider } from './oidc.ts';

/** The default of OIDC_ISSUER. */
export const GOOGLE_ISSUER = 'https://accounts.google.com';

export interface OpenIdClient {
  issuer: string;
  clientId: string;
  clientSecret: string;
}

/** Sign-in with Google or another OpenID provider. Its configuration is fetched at the first sign-in, and again after a failure. */
export function createOpenIdSignIn(
  { issuer, clientId, clientSecret }: OpenIdClient,
  publicOrigin: string,
): IdentityProvider {
  let known: Promise<Configuration> | undefined;
  // Some providers end their own with a slash; people are the same, whether or not it is in OIDC_ISSUER.
  const name = issuer.replace(/\/$/, '');
  // A provider on this machine, for tests.
  const execute = isLoopbackOrigin(new URL(issuer).origin) ? [allowInsecureRequests] : [];
  return createOidcProvider({
    isSandbox: false,
    issuer: name,
    promptAgain: name === GOOGLE_ISSUER ? 'select_account' : 'login',
    origin: () => publicOrigin,
    configuration() {
      known ??= discovery(new URL(issuer), clientId, clientSecret, undefined, { execute }).catch(
        (error: unknown) => {
          known = undefined;
          throw unavailable('google', error);
        },
      );
      return known;
    },
  });
}
