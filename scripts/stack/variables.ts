import { z } from 'zod';

const NODES_MAX = 64;

/** Variables of `npm start` and `npm run dev`; the servers have their own, too. */
export const stackVariables = {
  PORT: z.coerce.number().int().min(1).max(65_535).default(3000),
  DATA_DIR: z
    .string()
    .min(1)
    .default('./data')
    .describe('Database, secret and logs; each instance needs its own'),
  NODES: z
    .preprocess(
      (value) => value || undefined,
      z.coerce.number().int().min(1).max(NODES_MAX).default(1),
    )
    .describe('Number of API nodes and of sync nodes; more than one need NATS'),
};
