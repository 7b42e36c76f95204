import { z } from 'zod';

/** The path parameter of calls on one row. */
export const idParams = z.object({ id: z.string().min(1).max(64) });

/** A field that a form may leave blank: that means null. */
export const orNone = <Schema extends z.ZodType>(schema: Schema) =>
  z.preprocess(
    (value) => (typeof value === 'string' && value.trim() === '' ? null : value),
    schema.nullable(),
  );

/** A time, with or without its zone, that may be left blank. */
export const timeOrNone = orNone(z.iso.datetime({ offset: true, local: true }));
