import { discovery, type Configuration } from 'openid-client';
import { unavailable } from '../http/http-error.ts';
import type { IdentityProvider } from './identity.ts';
import { createOidcProvider } from './oidc.ts';

const ISSUER = 'https://accounts.google.com';

/** Google sign-in. Its configuration is fetched at the first sign-in, and again after a failure. */
export function createGoogleSignIn(
  client: { clientId: string; clientSecret: string },
  publicOrigin: string,
): IdentityProvider {
  let known: Promise<Configuration> | undefined;
  return createOidcProvider({
    isSandbox: false,
    issuer: ISSUER,
    origin: () => publicOrigin,
    configuration() {
      known ??= discovery(new URL(ISSUER), client.clientId, client.clientSecret).catch(
        (error: unknown) => {
          known = undefined;
          throw unavailable('google', error);
        },
      );
      return known;
    },
  });
}
