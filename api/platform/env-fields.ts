import { z } from 'zod';

/** An optional variable. Compose files pass unset ones as empty strings. */
export const optional = z
  .string()
  .optional()
  .transform((value) => value || undefined);
