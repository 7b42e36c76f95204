import { z } from 'zod';
import { isLoopbackAddress, isLoopbackOrigin } from './public-origin.ts';

/** Compose files pass unset variables as empty strings. */
const emptyIsUnset = (value: unknown) => (value === '' ? undefined : value);

/** Variables of all servers. `npm run configuration` writes the descriptions into docs/configuration.md. */
export const serverVariables = {
  NODE_ENV: z
    .preprocess(
      emptyIsUnset,
      z
        .enum(['production', 'development', 'test'], 'One of production, development and test')
        .default('development'),
    )
    .describe('`production`, `development` or `test`; only libraries use it'),
  PUBLIC_ORIGIN: z
    .url({ protocol: /^https?$/, error: 'Required: an address such as https://leashwise.example' })
    .transform((url) => new URL(url).origin)
    .meta({
      description: 'Origin that browsers use; requests for other hosts get 421',
      usually: 'with `npm start` `http://localhost:PORT`',
    }),
  NATS_URL: z
    .preprocess(emptyIsUnset, z.string().min(1).optional())
    .describe(
      'NATS servers, separated by commas, the first with user and password; required for more than one API or sync node. `npm start` runs `nats-server` if `NODES` is above 1',
    ),
  METRICS_PORT: z
    .preprocess(emptyIsUnset, z.coerce.number().int().min(0).max(65_535).optional())
    .describe(
      'Port of this process’s metrics for Prometheus and of `/live`, for the operator’s network only; `npm start` chooses free ones',
    ),
  ALLOW_SANDBOX: z.preprocess(emptyIsUnset, z.stringbool('true or false').optional()).meta({
    description: '`true`: simulate providers behind any origin; `false`: never',
    usually: 'where `PUBLIC_ORIGIN` is loopback',
  }),
};

/** The user of the servers, and the replica set, that `mongodb-init` makes. */
export const SERVERS_USER = 'leashwise';
export const REPLICA_SET = 'leashwise';

/**
 * Adds MONGODB_URI to an environment that has the members and the password of the replica set of docker-compose.yml instead
 * (MONGODB_MEMBERS, MONGODB_USER, MONGODB_PASSWORD): `mongodb-init` makes its set and its user.
 */
export function withMongodbUri<Source extends Record<string, string | undefined>>(
  source: Source,
): Source {
  const { MONGODB_URI, MONGODB_MEMBERS, MONGODB_USER, MONGODB_PASSWORD } = source;
  if (MONGODB_URI || !MONGODB_MEMBERS || !MONGODB_PASSWORD) return source;
  const user = [MONGODB_USER || SERVERS_USER, MONGODB_PASSWORD].map(encodeURIComponent).join(':');
  const options = `replicaSet=${REPLICA_SET}&w=majority&authSource=admin`;
  return { ...source, MONGODB_URI: `mongodb://${user}@${MONGODB_MEMBERS}/?${options}` };
}

interface Exposure {
  PUBLIC_ORIGIN: string;
  ALLOW_SANDBOX?: boolean | undefined;
}

/** Whether sandbox providers (sign-in, wallet, email, SMS, weather) may replace real ones. */
export const isSandboxAllowed = ({ PUBLIC_ORIGIN, ALLOW_SANDBOX }: Exposure): boolean =>
  ALLOW_SANDBOX ?? isLoopbackOrigin(PUBLIC_ORIGIN);

/**
 * Checks servers that listen on HOST (by default, on loopback only).
 * @throws when other machines could use sandbox providers and ALLOW_SANDBOX is unset
 */
export function refuseExposedSandbox(env: Exposure & { HOST?: string | undefined }): void {
  const isLocal = env.HOST === undefined || isLoopbackAddress(env.HOST);
  if (isLocal || env.ALLOW_SANDBOX !== undefined || !isLoopbackOrigin(env.PUBLIC_ORIGIN)) return;
  throw new Error(
    `With HOST=${env.HOST}, anyone on the network could sign in as any user: sandbox providers run because PUBLIC_ORIGIN is a ` +
      'loopback origin. Set PUBLIC_ORIGIN to the public address, or ALLOW_SANDBOX to true or false.',
  );
}

/** Returns a warning for the console; null if sandbox providers can't be reached from other machines. */
export const sandboxWarning = (env: Exposure): string | null =>
  isSandboxAllowed(env) && !isLoopbackOrigin(env.PUBLIC_ORIGIN)
    ? [
        '!'.repeat(78),
        `ALLOW_SANDBOX=true at ${env.PUBLIC_ORIGIN}: providers that aren't configured are simulated.`,
        'Without GOOGLE_CLIENT_ID, anyone can sign in as any user, including admins.',
        'Never use this with real personal data.',
        '!'.repeat(78),
      ].join('\n')
    : null;
