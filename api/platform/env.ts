import { z } from 'zod';
import { reviewMode } from '#shared/advertisers/reviews.ts';
import '#shared/zod-messages.ts';
import { plainAddress } from '#shared/normalization/email-address.ts';
import { typedCode } from '#shared/normalization/typed-code.ts';
import { isLoopbackOrigin } from '#shared/server/public-origin.ts';
import {
  isSandboxAllowed,
  refuseExposedSandbox,
  serverVariables,
  withMongodbUri,
} from '#shared/server/server-env.ts';
import { optional } from './env-fields.ts';
import { readRates, type Rate } from './http/rate-limit.ts';
import { checkMail, mailVariables, readMail } from './mail-queue/settings.ts';
import { checkPushEnv, pushVariables, readPushEnv } from './push/settings.ts';
import { GOOGLE_ISSUER } from './session/openid-provider.ts';
import { checkGeocoderEnv, geocoderVariables } from './settings/geocoder.ts';
import { mapVariables } from './settings/map.ts';
import { checkPaymentEnv, paymentsOf, paymentVariables } from './settings/payments.ts';
import { securityContact } from './settings/security-contact.ts';
import { weatherVariables } from './settings/weather.ts';

const port = z.coerce.number().int().min(0).max(65_535);
/** The admin of the sandbox sign-in if ADMIN_EMAILS is unset. */
const SANDBOX_ADMIN = 'admin@example.com';

/** Over http, anyone on the way could sign in as anyone. */
const isSafeIssuer = (url: string): boolean =>
  URL.canParse(url) && (url.startsWith('https:') || isLoopbackOrigin(new URL(url).origin));

/** Variables of the API, apart from what depends on several. */
export const apiVariables = {
  MONGODB_URI: z.string().min(1).meta({
    description: 'Connection string of MongoDB',
    usually: 'with `npm start` a `mongod` on `PATH`, else the embedded engine',
  }),
  MONGODB_DB: z.string().min(1).default('leashwise').describe('Name of the database'),
  ...serverVariables,
  SYNC_SECRET: z.string().min(16).meta({
    description:
      'Secret between API and sync server; also signs links, ad view ids and proofs of removed messages. Changing it invalidates existing links',
    usually: 'with `npm start` created once in `DATA_DIR`',
  }),
  SYNC_SECRET_PREVIOUS: optional
    .pipe(z.string().min(16).optional())
    .describe('The previous secret during a rotation ([security.md](security.md))'),
  SYNC_INTERNAL_URL: z
    .string()
    .transform((urls) => urls.split(',').map((url) => url.trim().replace(/\/$/, '')))
    .pipe(z.array(z.url()))
    .transform((urls) => urls.join(','))
    .describe(
      'Internal URLs of the sync nodes, separated by commas; the first that answers is used',
    ),
  API_PORT: port.describe('Port of the API; of the gateway’s API nodes, separated by commas'),
  HOST: z
    .string()
    .min(1)
    .default('127.0.0.1')
    .describe('Address that a server listens on; the gateway’s default includes `::1`'),
  LOG_LEVEL: z
    .enum(['silent', 'fatal', 'error', 'warn', 'info', 'debug', 'trace'])
    .default('info')
    .describe('With `debug`, `npm start` prints logs, too'),
  ADMIN_EMAILS: optional.meta({
    description: 'Email addresses of the admins, separated by commas',
    usually: `with the sandbox sign-in \`${SANDBOX_ADMIN}\``,
  }),
  GOOGLE_CLIENT_ID: optional.describe(
    'Client of the sign-in provider; redirect URI `PUBLIC_ORIGIN/auth/callback`. Without it, the sandbox signs in',
  ),
  GOOGLE_CLIENT_SECRET: optional.describe('Its secret'),
  OIDC_ISSUER: optional
    .pipe(
      z
        .url({ protocol: /^https?$/, error: 'An address such as https://login.example' })
        .refine(isSafeIssuer, 'It must begin with https://')
        .default(GOOGLE_ISSUER),
    )
    .describe('Another OpenID provider than Google; client and secret are of that one'),
  RATE_LIMIT_SCALE: z.coerce
    .number()
    .positive()
    .default(1)
    .describe('Multiplies all rate limits, for load tests'),
  RATE_LIMITS: optional
    .transform((text, check) => {
      const rates = readRates(text ?? '');
      if (!rates) check.addIssue('Limits such as sign-in=20/60: points per seconds');
      return rates ?? new Map<string, Rate>();
    })
    .describe(
      'Single limits of the API, as points per seconds: `sign-in=20/60, POST /hazards=5/3600`. A name that isn’t one prints all',
    ),
  BLOCK_DELAY_SCALE: z.coerce
    .number()
    .min(0)
    .default(1)
    .describe(
      'Multiplies the 10 to 60 minutes after which a blocked friend sees an unfriending; `0` for tests',
    ),
  PRODUCT_NAME: optional
    .transform((name) => name ?? 'Leashwise')
    .describe('Product name on the screens and in emails; it is built into the client'),
  REFERRAL_ACCESS_CODE: optional
    .transform((code) => (code === undefined ? null : typedCode(code)))
    .describe('Access code included in invitations while it can be used'),
  SECURITY_CONTACT: securityContact.describe(
    'Contact for vulnerability reports, an email address or https page, in `/.well-known/security.txt`',
  ),
  AD_REVIEW: optional
    .pipe(reviewMode.default('after'))
    .describe(
      '`after`: paid ads and their changes run at once and are reviewed later; `before`: they wait for an admin',
    ),
  ...mailVariables,
  ...paymentVariables,
  ...mapVariables,
  ...geocoderVariables,
  ...weatherVariables,
  ...pushVariables,
};

const schema = z
  .object(apiVariables)
  .superRefine((env, check) => {
    const missing = (name: string, message: string) =>
      check.addIssue({ code: 'custom', path: [name], message });
    const google = ['GOOGLE_CLIENT_ID', 'GOOGLE_CLIENT_SECRET'] as const;
    const isSandboxed = google.every((name) => !env[name]) && isSandboxAllowed(env);
    const needed =
      'Required: the sandbox sign-in works only if PUBLIC_ORIGIN is a loopback origin or ALLOW_SANDBOX is true';
    for (const name of google) if (!env[name] && !isSandboxed) missing(name, needed);
    checkMail(env, missing);
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
      mail: readMail(env),
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
