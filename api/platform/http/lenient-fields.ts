import { z } from 'zod';

/** A field of a provider’s answer that may be missing or invalid: null then, without a loss of the others. */
export const lenient = <T extends z.ZodType>(type: T) => type.nullish().catch(null);

/** A list of a provider’s answer, from which invalid elements are left out. */
export const lenientList = <T extends z.ZodType>(type: T) =>
  lenient(z.array(z.unknown())).transform((values) => validOf(type, values ?? []));

/** As `lenientList`, for a list that is the answer itself: it is invalid if all of its elements are. */
export const answerList = <T extends z.ZodType>(type: T) =>
  z.array(z.unknown()).transform((values, context) => {
    const valid = validOf(type, values);
    if (valid.length === 0 && values.length > 0) context.addIssue('no element is valid');
    return valid;
  });

/** Returns the valid ones of the values. */
const validOf = <T extends z.ZodType>(type: T, values: readonly unknown[]): z.output<T>[] =>
  values.flatMap((value) => {
    const read = type.safeParse(value);
    return read.success ? [read.data] : [];
  });
