import type { Context } from 'koa';

/** Secrets that bind a sign-in to the browser that started it, in its cookie. */
export interface SignInSecrets {
  state: string;
  nonce: string;
  verifier: string;
}

/** A user as the provider identifies them. */
export interface Identity {
  issuer: string;
  /** The provider’s id of the user; the only key for recognizing them. */
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
  /** Whether the provider should ask the user even if it knows them. */
  isAgain?: boolean;
}

/** An OpenID Connect provider: authorization code with PKCE, state and nonce. */
export interface IdentityProvider {
  isSandbox: boolean;
  /** Its issuer in every identity. */
  issuer: string;
  /** Where to send the browser. */
  authorizationUrl(ctx: Context, secrets: SignInSecrets, options?: SignInOptions): Promise<string>;
  /**
   * @throws HttpError 400 when the code is invalid for this browser, 503 when the provider doesn’t respond
   */
  exchange(ctx: Context, secrets: SignInSecrets, code: string, state: string): Promise<Identity>;
}
