import { withoutInvisible } from './invisible.ts';

/** Hyphens, dashes and the minus sign, which keyboards and word processors put for one another. */
const DASH = /[\p{Pd}\u2212]/gu;

/** Returns a code (access, invitation, referral) as it is stored and compared, however it was typed, pasted or copied. */
export const typedCode = (typed: string): string =>
  withoutInvisible(typed.normalize('NFKC'))
    .replace(DASH, '-')
    .trim()
    .toUpperCase()
    .normalize('NFKC');
