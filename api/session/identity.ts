import type { Context } from 'koa';

/** What binds a sign-in to the browser that began it: only that browser's cookie has it. */
export interface SignInSecrets {
  state: string;
  nonce: string;
  verifier: string;
}

/** Whom the provider vouches for. */
export interface Identity {
  issuer: string;
  /** The provider's own id for the person; the only thing by which we know them again. */
  subject: string;
  /** In lower case. */
  email: string;
  email_verified: boolean;
  given_name: string;
  name: string;
  /** An https address, or null. */
  picture: string | null;
}

export interface SignInOptions {
  /** The account that the provider should suggest. */
  loginHint?: string | undefined;
  /** Whether the provider should ask the person, even where it knows them. */
  isAgain?: boolean;
}

/** An OpenID Connect provider: authorization code with PKCE, state and nonce. */
export interface IdentityProvider {
  isSandbox: boolean;
  /** Its name in every identity that it vouches for. */
  issuer: string;
  /** Where to send the browser. */
  authorizationUrl(ctx: Context, secrets: SignInSecrets, options?: SignInOptions): Promise<string>;
  /** @throws HttpError 400 when the code is not good for this browser, 503 when the provider does not answer */
  exchange(ctx: Context, secrets: SignInSecrets, code: string, state: string): Promise<Identity>;
}
