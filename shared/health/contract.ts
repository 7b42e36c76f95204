import { z } from 'zod';
import { endpoint } from '../endpoint.ts';

export const health = endpoint('GET', '/health', {
  access: 'public',
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
