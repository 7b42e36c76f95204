import { createHash } from 'node:crypto';

/** Returns the SHA-256 of a text in base64url, cut to `length` characters. */
export const hashText = (text: string, length?: number): string =>
  createHash('sha256').update(text).digest('base64url').slice(0, length);

/** Returns the hash of a JSON value; objects must have their keys in the same order. */
export const hashOf = (value: unknown): string => hashText(JSON.stringify(value));
