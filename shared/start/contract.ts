import { z } from 'zod';
import { endpoint } from '../endpoint.ts';
import { START_CALLS_MAX } from './rules.ts';

/**
 * What a start of the app needs, in one call (decision 20). Each answer is that of its own call; null where that failed, is not marked
 * with `isAtStart`, or takes longer than the others should wait: the device then makes the call itself.
 */
export const start = endpoint('GET', '/start', {
  access: 'signed-in',
  query: z.object({
    /** Paths with queries, such as `/api/drafts`, separated by spaces. */
    calls: z
      .string()
      .max(2_000)
      .transform((paths) => paths.split(' '))
      .pipe(z.array(z.string()).max(START_CALLS_MAX)),
  }),
  answer: z.object({
    /** In the order of the calls. */
    answers: z.array(z.unknown()),
    /** As in `health`. */
    sandbox_providers: z.array(z.string()),
  }),
  failure: 'Failed to load the app',
});
