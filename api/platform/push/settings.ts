import { z } from 'zod';
import { optional } from '../env-fields.ts';

/** The push services of Chrome and its relatives, Safari, Firefox and Edge. */
const PUSH_SERVICES =
  'fcm.googleapis.com,android.googleapis.com,jmt17.google.com,*.push.apple.com,*.push.services.mozilla.com,*.notify.windows.com';

/** Environment variables of Web Push. */
export const pushVariables = {
  PUSH_SERVICES: optional
    .pipe(
      z
        .string()
        .default(PUSH_SERVICES)
        .transform((text) => text.split(',').map((name) => name.trim().toLowerCase()))
        .pipe(z.array(z.string().regex(/^(\*|(\*\.)?[a-z\d-]+(\.[a-z\d-]+)+)$/))),
    )
    .meta({
      description:
        'Hosts that pushes may be sent to, such as `push.example.com,*.ntfy.example`; `*` for every public host',
      usually: 'those of Chrome, Safari, Firefox and Edge',
    }),
  VAPID_SUBJECT: optional
    .pipe(
      z
        .string()
        .regex(/^(mailto:[^\s@]+@[^\s@]+|https:\/\/\S+)$/)
        .optional(),
    )
    .meta({
      description: 'Whom push services contact: `mailto:…` or an https URL',
      usually: '`PUBLIC_ORIGIN`',
    }),
  VAPID_PUBLIC_KEY: optional
    .pipe(
      z
        .string()
        .regex(/^[\w-]{87}$/)
        .optional(),
    )
    .meta({ description: 'Key pair of web push in base64url', usually: 'created once in MongoDB' }),
  VAPID_PRIVATE_KEY: optional
    .pipe(
      z
        .string()
        .regex(/^[\w-]{43}$/)
        .optional(),
    )
    .describe('Its other half'),
};
type PushVariables = z.output<z.ZodObject<typeof pushVariables>>;

/** Reports half of a key pair. */
export function checkPushEnv(
  env: PushVariables,
  missing: (name: string, message: string) => void,
): void {
  const pair = ['VAPID_PUBLIC_KEY', 'VAPID_PRIVATE_KEY'] as const;
  if (pair.some((name) => env[name]))
    for (const name of pair) if (!env[name]) missing(name, 'Required with the other VAPID key');
}

/** Reads the settings; `checkPushEnv` has rejected half of a key pair. */
export function readPushEnv(env: PushVariables & { PUBLIC_ORIGIN: string }) {
  const fallback = env.PUBLIC_ORIGIN.startsWith('https://')
    ? env.PUBLIC_ORIGIN
    : 'mailto:nobody@example.com';
  return {
    subject: env.VAPID_SUBJECT ?? fallback,
    publicKey: env.VAPID_PUBLIC_KEY,
    privateKey: env.VAPID_PRIVATE_KEY,
  };
}
