import { z } from 'zod';
import { SERVERS_USER } from '#shared/server/server-env.ts';

/** Variables of `mongodb-init`. */
export const mongodbInitVariables = {
  MONGODB_MEMBERS: z
    .string()
    .min(1)
    .describe(
      'Members of the replica set, `host:port` separated by commas; servers use it without `MONGODB_URI`',
    ),
  MONGODB_LOOPBACK: z
    .string()
    .default('mongodb://127.0.0.1:27017/?directConnection=true')
    .describe('The first member on its own loopback, which may create the first user'),
  MONGODB_ADMIN_PASSWORD: z
    .string()
    .min(16)
    .describe('Password of the administrator; can’t be changed here later'),
  // Compose passes an unset variable as an empty string.
  MONGODB_USER: z
    .string()
    .transform((name) => name || SERVERS_USER)
    .default(SERVERS_USER)
    .describe('User of the servers'),
  MONGODB_PASSWORD: z.string().min(16).describe('Password of the servers'),
  MONGODB_DROP_USER: z
    .string()
    .optional()
    .describe('A former user of the servers to remove, once no node uses it'),
  MONGODB_DB: z.string().min(1).default('leashwise'),
  MONGODB_WAIT_MS: z.coerce
    .number()
    .int()
    .positive()
    .default(120_000)
    .describe('How long a step may wait for MongoDB'),
};

export type MongodbInitEnv = z.infer<z.ZodObject<typeof mongodbInitVariables>>;
