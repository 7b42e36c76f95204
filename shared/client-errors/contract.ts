import { z } from 'zod';
import { endpoint } from '../endpoint.ts';
import { FRAMES_MAX } from './rules.ts';

/** The class of an error, such as 'TypeError'. */
export const errorClass = z
  .string()
  .regex(/^(?:[A-Z][A-Za-z]{2,30})?(?:Error|Exception)$/u)
  .max(40);
/** A place in the built code: the name of a chunk, which differs per release, with line and column. Never a path or a query. */
export const errorFrame = z.string().regex(/^[\w-]{1,80}\.js:\d{1,6}:\d{1,7}$/u);

/** Reports that the app failed. Without message texts, addresses, names and ids: they may have entered an error's message. */
export const reportClientError = endpoint('POST', '/client-errors', {
  access: 'signed-in',
  body: z.object({
    error_class: errorClass,
    /** The innermost one first. */
    frames: z.array(errorFrame).max(FRAMES_MAX),
  }),
  failure: 'Failed to report an error',
});
