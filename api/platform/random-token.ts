import { randomBytes } from 'node:crypto';

/** Returns a token that no one can guess, as base64url. @param bytes of randomness */
export const randomToken = (bytes: number): string => randomBytes(bytes).toString('base64url');
