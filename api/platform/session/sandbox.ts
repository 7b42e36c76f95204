import type { Context } from 'koa';
import { allowInsecureRequests, Configuration, customFetch, None } from 'openid-client';
import { z } from 'zod';
import { HttpError } from '#shared/http/http-error.ts';
import { emailAddress } from '#shared/normalization/email-address.ts';
import { addressOf, networkOf, originOf } from '../http/request-origin.ts';
import type { Api } from '../services.ts';
import { sandboxCodes as codeRows } from './collections.ts';
import type { IdentityProvider } from './identity.ts';
import { CALLBACK_PATH, createOidcProvider } from './oidc.ts';
import { pickerPage, PICKER_POLICY } from './picker-page.ts';
import { CLIENT_ID, ISSUER, SIGNING_ALGORITHM, createSandboxCodes } from './sandbox-codes.ts';

const AUTHORIZE_PATH = '/sandbox/google/authorize';

const KEYS_URL = `${ISSUER}/keys`;

const authorizeQuery = z.object({
  response_type: z.literal('code'),
  client_id: z.literal(CLIENT_ID),
  redirect_uri: z.string(),
  code_challenge: z.string().length(43),
  code_challenge_method: z.literal('S256'),
  state: z.string().max(512),
  nonce: z.string().max(512).optional(),
});
const hint = emailAddress();

/**
 * The sandbox sign-in: our own OpenID Connect provider on our own origin, without passwords. Its codes are as strict as
 * real ones: short-lived, single-use, bound to client, address, and PKCE challenge. The token endpoint is reached only
 * within this process.
 */
export function createSandboxSignIn({ router, services }: Api): IdentityProvider {
  const { env, db, registerJob } = services;
  const origin = (ctx: Context) => originOf(ctx, env.PUBLIC_ORIGIN);
  const codes = createSandboxCodes(db);
  const limit = services.limiter({ name: 'sandbox-sign-in', points: 120, seconds: 60 });
  registerJob('sandbox sign-in codes', () =>
    codeRows(db).deleteMany({ expires_at: { $lt: new Date() } }),
  );

  router.get(AUTHORIZE_PATH, async (ctx: Context) => {
    const query = authorizeQuery.safeParse(ctx.query);
    // Never redirects to a foreign address, even to report an error.
    if (!query.success || query.data.redirect_uri !== `${origin(ctx)}${CALLBACK_PATH}`)
      throw new HttpError(400, 'This sign-in request isn’t valid. Start again.');
    const { redirect_uri, code_challenge, state, nonce } = query.data;
    const asked = ctx.query['login_hint'];
    const email = hint.safeParse(asked);
    if (!email.success) {
      ctx.set('content-security-policy', PICKER_POLICY);
      ctx.type = 'html';
      ctx.body = pickerPage({
        action: `/api${AUTHORIZE_PATH}`,
        product: env.PRODUCT_NAME,
        request: query.data,
        refused: typeof asked === 'string' && asked !== '' ? asked : null,
      });
      return;
    }
    // Each code is a row until it is deleted.
    await limit(networkOf(addressOf(ctx)));
    const code = await codes.issue({
      email: email.data,
      redirect_uri,
      code_challenge,
      nonce: nonce ?? null,
    });
    ctx.status = 302;
    ctx.redirect(`${redirect_uri}?${new URLSearchParams({ code, state }).toString()}`);
  });

  return createOidcProvider({
    isSandbox: true,
    promptAgain: 'select_account',
    issuer: ISSUER,
    origin,
    async configuration(ctx) {
      const configuration = new Configuration(
        {
          issuer: ISSUER,
          authorization_endpoint: `${origin(ctx)}/api${AUTHORIZE_PATH}`,
          token_endpoint: `${ISSUER}/token`,
          jwks_uri: KEYS_URL,
        },
        CLIENT_ID,
        { id_token_signed_response_alg: SIGNING_ALGORITHM },
        None(),
      );
      // The browser uses plain http on a developer’s machine.
      allowInsecureRequests(configuration);
      // The library sends forms as URLSearchParams.
      configuration[customFetch] = (url, { body }) =>
        url === KEYS_URL ? codes.keys() : codes.token(new URLSearchParams(body as URLSearchParams));
      return configuration;
    },
  });
}
