import { z } from 'zod';
import { withoutInvisible } from './invisible.ts';

const SEPARATORS = /[\s().\p{Pd}\u2212/]/gu;
/** Anything between digits that is no separator: `x12`, `ext. 12`, `#12`, `,,12`. */
const EXTENSION = /\p{Nd}[^\p{Nd}]+\p{Nd}/u;

/** A phone number as typed, without separators. One with an extension is refused, because a text would go to the main line. */
export const phoneNumber = (min: number, max: number) =>
  z
    .string()
    .overwrite((typed) => withoutInvisible(typed.normalize('NFKC')).replace(SEPARATORS, ''))
    .refine((number) => !EXTENSION.test(number), {
      error: 'We can’t text an extension. Please enter a mobile number.',
      abort: true,
    })
    .min(min)
    .max(max);
