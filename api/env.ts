import { plainAddress } from '#shared/normalization/email-address.ts';
import { typedCode } from '#shared/normalization/typed-code.ts';
import '#shared/zod-messages.ts';
import {
  isSandboxAllowed,
  refuseExposedSandbox,
  serverVariables,
  withMongodbUri,
} from '#shared/server/server-env.ts';
import { z } from 'zod';
import { optional } from './env-fields.ts';
import { readRates, type Rate } from './http/rate-limit.ts';
import { isLoopbackOrigin } from '#shared/server/public-origin.ts';
import { GOOGLE_ISSUER } from './session/openid-provider.ts';
import { reviewMode } from '#shared/advertisers/reviews.ts';
import { securityContact } from './health/security-txt.ts';
import { checkOutbox, outboxVariables, readOutbox } from './outbox/settings.ts';
import { checkPaymentEnv, paymentsOf, paymentVariables } from './payments/settings.ts';
import { checkPushEnv, pushVariables, readPushEnv } from './push/settings.ts';
import { checkGeocoderEnv, geocoderVariables } from './geocoder/settings.ts';
import { mapVariables } from './locations/settings.ts';
import { weatherVariables } from './weather/settings.ts';

const port = z.coerce.number().int().min(0).max(65_535);
/** The admin of the sandbox sign-in if ADMIN_EMAILS is unset. */
const SANDBOX_ADMIN = 'admin@example.com';

/** Over http, anyone on the way could sign in as anyone. */
const isSafeIssuer = (url: string): boolean =>
  URL.canParse(url) && (url.startsWith('https:') || isLoopbackOrigin(new URL(url).origin));

const schema = z
  .object({
    MONGODB_URI: z.string().min(1),
    MONGODB_DB: z.string().min(1).default('leashwise'),
    ...serverVariables,
    /** Authenticates calls to the sync server’s internal port, and signs links and tokens. */
    SYNC_SECRET: z.string().min(16),
    /** The previous secret during a rotation: its signatures are still valid. */
    SYNC_SECRET_PREVIOUS: optional.pipe(z.string().min(16).optional()),
    /** The internal URLs of the sync nodes, separated by commas. The first is used until it fails, then the next. */
    SYNC_INTERNAL_URL: z
      .string()
      .transform((urls) => urls.split(',').map((url) => url.trim().replace(/\/$/, '')))
      .pipe(z.array(z.url()))
      .transform((urls) => urls.join(',')),
    API_PORT: port,
    HOST: z.string().min(1).default('127.0.0.1'),
    LOG_LEVEL: z
      .enum(['silent', 'fatal', 'error', 'warn', 'info', 'debug', 'trace'])
      .default('info'),
    ADMIN_EMAILS: optional,
    GOOGLE_CLIENT_ID: optional,
    GOOGLE_CLIENT_SECRET: optional,
    /** Another OpenID provider than Google; the client id and secret are of that one. */
    OIDC_ISSUER: optional.pipe(
      z
        .url({ protocol: /^https?$/, error: 'An address such as https://login.example' })
        .refine(isSafeIssuer, 'It must begin with https://')
        .default(GOOGLE_ISSUER),
    ),
    RATE_LIMIT_SCALE: z.coerce.number().positive().default(1),
    /** The rates of single limits, by name. */
    RATE_LIMITS: optional.transform((text, check) => {
      const rates = readRates(text ?? '');
      if (!rates) check.addIssue('Limits such as sign-in=20/60: points per seconds');
      return rates ?? new Map<string, Rate>();
    }),
    /** Multiplies the time for which blocked people see the relationship as it was; 0 in tests of other things. */
    BLOCK_DELAY_SCALE: z.coerce.number().min(0).default(1),
    PRODUCT_NAME: optional.transform((name) => name ?? 'Leashwise'),
    /** An access code to include in invitations while it can be used; null for none. */
    REFERRAL_ACCESS_CODE: optional.transform((code) =>
      code === undefined ? null : typedCode(code),
    ),
    SECURITY_CONTACT: securityContact,
    /** Whether paid ads run immediately and are reviewed afterward, or wait for approval. */
    AD_REVIEW: optional.pipe(reviewMode.default('after')),
    ...outboxVariables,
    ...paymentVariables,
    ...mapVariables,
    ...geocoderVariables,
    ...weatherVariables,
    ...pushVariables,
  })
  .superRefine((env, check) => {
    const missing = (name: string, message: string) =>
      check.addIssue({ code: 'custom', path: [name], message });
    const google = ['GOOGLE_CLIENT_ID', 'GOOGLE_CLIENT_SECRET'] as const;
    const isSandboxed = google.every((name) => !env[name]) && isSandboxAllowed(env);
    const needed =
      'Required: the sandbox sign-in works only if PUBLIC_ORIGIN is a loopback origin or ALLOW_SANDBOX is true';
    for (const name of google) if (!env[name] && !isSandboxed) missing(name, needed);
    checkOutbox(env, missing);
    checkPaymentEnv(env, missing);
    checkPushEnv(env, missing);
    checkGeocoderEnv(env, missing);
  })
  .transform(({ GOOGLE_CLIENT_ID, GOOGLE_CLIENT_SECRET, OIDC_ISSUER, ADMIN_EMAILS, ...env }) => {
    const google =
      GOOGLE_CLIENT_ID && GOOGLE_CLIENT_SECRET
        ? {
            issuer: OIDC_ISSUER,
            clientId: GOOGLE_CLIENT_ID,
            clientSecret: GOOGLE_CLIENT_SECRET,
          }
        : null;
    const admins = ADMIN_EMAILS ?? (google ? '' : SANDBOX_ADMIN);
    return {
      ...env,
      /** Whether unconfigured providers are simulated; otherwise their features are off. */
      hasSandbox: isSandboxAllowed(env),
      /** Null: the sandbox signs users in. */
      google,
      payments: paymentsOf(env),
      adminEmails: admins
        .split(/[\s,;]+/)
        .map(plainAddress)
        .filter(Boolean),
      outbox: readOutbox(env),
      vapid: readPushEnv(env),
      pushServices: env.PUSH_SERVICES,
    };
  });

export type Env = z.output<typeof schema>;

/**
 * Reads the environment.
 * @throws with a list of all missing and invalid variables
 */
export function readEnv(source: Record<string, string | undefined>): Env {
  const parsed = schema.safeParse(withMongodbUri(source));
  if (parsed.success) {
    refuseExposedSandbox(parsed.data);
    return parsed.data;
  }
  const wrong = parsed.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`);
  throw new Error(`The API can’t start: ${wrong.join('; ')}`);
}
