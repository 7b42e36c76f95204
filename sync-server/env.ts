import { z } from 'zod';
import { serverVariables, withMongodbUri } from '#shared/server/server-env.ts';

const port = z.coerce.number().int().min(0).max(65_535);

/** Variables of a sync node. */
export const syncServerVariables = {
  MONGODB_URI: z.string().min(1),
  MONGODB_DB: z.string().min(1).default('leashwise'),
  ...serverVariables,
  SYNC_SECRET: z.string().min(16),
  SYNC_SECRET_PREVIOUS: z
    .string()
    .optional()
    .transform((value) => value || undefined)
    .pipe(z.string().min(16).optional()),
  SYNC_PORT: port.describe(
    'Port of the sync server; of the gateway’s sync nodes, separated by commas',
  ),
  SYNC_INTERNAL_PORT: port.describe('Port for the API, which nothing else may reach'),
  HOST: z.string().min(1).default('127.0.0.1'),
  LOG_LEVEL: z.enum(['silent', 'fatal', 'error', 'warn', 'info', 'debug', 'trace']).default('info'),
  RATE_LIMIT_SCALE: z.coerce.number().positive().default(1),
};

const schema = z.object(syncServerVariables);

export type Env = z.infer<typeof schema>;

/**
 * Reads the environment.
 * @throws an error that names every missing or invalid variable
 */
export function readEnv(source: Record<string, string | undefined>): Env {
  const parsed = schema.safeParse(withMongodbUri(source));
  if (parsed.success) return parsed.data;
  const wrong = parsed.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`);
  throw new Error(`The sync server can’t start: ${wrong.join('; ')}`);
}
