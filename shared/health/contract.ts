import { z } from 'zod';
import { endpoint } from '../endpoint.ts';

export const health = endpoint('GET', '/health', {
  access: 'public',
  query: z.object({
    /** For balancers: only what this node alone may lack. What all nodes share, such as the sync server, is no reason to use none. */
    node: z.stringbool().optional(),
  }),
  answer: z.object({
    ready: z.boolean(),
    /** Names of the parts that do not answer, such as `mongodb` or `sync-server`. */
    missing: z.array(z.string()),
    /** Providers that run as stand-ins here, such as `google`. */
    sandbox_providers: z.array(z.string()),
  }),
  failure: 'Failed to check health',
});

export const openapi = endpoint('GET', '/openapi.json', {
  access: 'public',
  answer: z.record(z.string(), z.unknown()),
  failure: 'Failed to load the API description',
});
