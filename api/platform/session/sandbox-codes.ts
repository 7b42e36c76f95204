import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import type { Db } from 'mongodb';
import { tokenHash } from '#shared/server/collections.ts';
import { MINUTE_MS } from '#shared/time.ts';
import { hashText } from '../hash.ts';
import { randomToken } from '../random-token.ts';
import { type SandboxCodeRow, sandboxCodes as codeRows } from './collections.ts';
import { personOf } from './sandbox-people.ts';

export const CLIENT_ID = 'leashwise-sandbox';
/** An address that can’t exist, so that these accounts never match a real provider’s. */
export const ISSUER = 'https://sandbox.invalid/google';
export const SIGNING_ALGORITHM = 'ES256';
const CODE_MS = MINUTE_MS;
const TOKEN_SECONDS = 300;

export interface SandboxCodes {
  /** @returns an authorization code */
  issue(code: Omit<SandboxCodeRow, '_id' | 'expires_at'>): Promise<string>;
  /** The token endpoint of RFC 6749 and OpenID Connect Core. */
  token(form: URLSearchParams): Promise<Response>;
  /** The key set with which tokens are checked. */
  keys(): Promise<Response>;
}

const invalid = (error: string) => Response.json({ error }, { status: 400 });

/** Codes are stored as hashes; the signing key lives as long as this process. */
export function createSandboxCodes(db: Db): SandboxCodes {
  const keys = generateKeyPair(SIGNING_ALGORITHM);
  return {
    async issue(code) {
      const secret = randomToken(32);
      const expires_at = new Date(Date.now() + CODE_MS);
      await codeRows(db).insertOne({ _id: tokenHash(secret), ...code, expires_at });
      return secret;
    },
    async token(form) {
      if (form.get('grant_type') !== 'authorization_code') return invalid('unsupported_grant_type');
      // Deleted before the checks: a code works only once.
      const code = await codeRows(db).findOneAndDelete({ _id: tokenHash(form.get('code') ?? '') });
      const challenge = hashText(form.get('code_verifier') ?? '');
      if (
        !code ||
        code.expires_at < new Date() ||
        form.get('client_id') !== CLIENT_ID ||
        form.get('redirect_uri') !== code.redirect_uri ||
        challenge !== code.code_challenge
      )
        return invalid('invalid_grant');
      const { privateKey } = await keys;
      const idToken = await new SignJWT({
        ...personOf(code.email),
        email_verified: true,
        ...(code.nonce === null ? {} : { nonce: code.nonce }),
      })
        .setProtectedHeader({ alg: SIGNING_ALGORITHM })
        .setIssuer(ISSUER)
        .setAudience(CLIENT_ID)
        .setSubject(code.email)
        .setIssuedAt()
        .setExpirationTime(`${TOKEN_SECONDS}s`)
        .sign(privateKey);
      return Response.json({
        access_token: randomToken(32),
        token_type: 'Bearer',
        expires_in: TOKEN_SECONDS,
        id_token: idToken,
      });
    },
    async keys() {
      const { publicKey } = await keys;
      return Response.json({ keys: [{ ...(await exportJWK(publicKey)), use: 'sig' }] });
    },
  };
}
