import { z } from 'zod';
import { isLoopbackAddress, isLoopbackOrigin } from './public-origin.ts';

/** Compose files pass what is unset as an empty text. */
const emptyIsUnset = (value: unknown) => (value === '' ? undefined : value);

/** Variables that all servers read alike. */
export const serverVariables = {
  NODE_ENV: z.preprocess(
    emptyIsUnset,
    z
      .enum(['production', 'development', 'test'], 'One of production, development and test')
      .default('development'),
  ),
  PUBLIC_ORIGIN: z
    .url({ protocol: /^https?$/, error: 'Required: an address such as https://leashwise.example' })
    .transform((url) => new URL(url).origin),
  /** Unset: sandbox providers run where PUBLIC_ORIGIN is a loopback origin. */
  ALLOW_SANDBOX: z.preprocess(emptyIsUnset, z.stringbool('true or false').optional()),
};

interface Exposure {
  PUBLIC_ORIGIN: string;
  ALLOW_SANDBOX?: boolean | undefined;
}

/** Whether providers that only simulate (sign-in, wallet, email, SMS, weather) may stand in for real ones. */
export const isSandboxAllowed = ({ PUBLIC_ORIGIN, ALLOW_SANDBOX }: Exposure): boolean =>
  ALLOW_SANDBOX ?? isLoopbackOrigin(PUBLIC_ORIGIN);

/**
 * For servers that take connections at HOST (by default from this machine only).
 * @throws when other machines could use sandbox providers that nobody asked for
 */
export function refuseExposedSandbox(env: Exposure & { HOST?: string | undefined }): void {
  const isLocal = env.HOST === undefined || isLoopbackAddress(env.HOST);
  if (isLocal || env.ALLOW_SANDBOX !== undefined || !isLoopbackOrigin(env.PUBLIC_ORIGIN)) return;
  throw new Error(
    `With HOST=${env.HOST} other machines could sign in as anyone: PUBLIC_ORIGIN is a loopback origin, where sandbox ` +
      'providers run. Set PUBLIC_ORIGIN to the address that people use, or ALLOW_SANDBOX to true or false.',
  );
}

/** A warning for the console; null where no sandbox provider can be reached by strangers. */
export const sandboxWarning = (env: Exposure): string | null =>
  isSandboxAllowed(env) && !isLoopbackOrigin(env.PUBLIC_ORIGIN)
    ? [
        '!'.repeat(78),
        `ALLOW_SANDBOX=true at ${env.PUBLIC_ORIGIN}: providers that are not configured are simulated.`,
        'Without GOOGLE_CLIENT_ID anyone can sign in as anyone, as an administrator too.',
        'Never do this with data of real people.',
        '!'.repeat(78),
      ].join('\n')
    : null;
