import { discovery, type Configuration } from 'openid-client';
import { unavailable } from '../http/http-error.ts';
import type { IdentityProvider } from './identity.ts';
import { oidcProvider } from './oidc.ts';

const ISSUER = 'https://accounts.google.com';

/** Google itself. Its description is fetched at the first sign-in, and again when that failed. */
export function google(
  client: { clientId: string; clientSecret: string },
  publicOrigin: string,
): IdentityProvider {
  let known: Promise<Configuration> | undefined;
  return oidcProvider({
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
