import { z } from 'zod';
import { withoutInvisible } from './invisible.ts';

const ADDRESS_MAX = 320;
/** All characters of RFC 5322 without quotes; a domain with a dot. International domains are in their ASCII form. */
const ADDRESS =
  /^(?=.{1,64}@.{1,253}$)[a-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\.[a-z0-9!#$%&'*+/=?^_`{|}~-]+)*@(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+(?:[a-z]{2,63}|xn--[a-z0-9-]{1,59})$/;
const NOT_ASCII = /[^\0-\x7f]/;
/** What the parser of addresses would take for more than a domain. */
const SYNTAX = /[\s/?#\\:@%[\]]/;

/** Returns the email address as it is stored, compared and sent to, however it was typed; it need not be valid. */
export function plainAddress(typed: string): string {
  const text = withoutInvisible(typed.normalize('NFKC')).trim().toLowerCase();
  const at = text.lastIndexOf('@');
  return at < 0 ? text : `${text.slice(0, at)}@${asciiDomain(text.slice(at + 1))}`;
}

function asciiDomain(domain: string): string {
  if (!NOT_ASCII.test(domain) || SYNTAX.test(domain)) return domain;
  try {
    return new URL(`https://${domain}`).hostname;
  } catch {
    return domain;
  }
}

/** The schema of every email address. @param required the words for an empty one */
export const emailAddress = (required = 'Required') =>
  z
    .string({ error: required })
    .overwrite(plainAddress)
    .min(1, required)
    .max(ADDRESS_MAX, 'Invalid input')
    .pipe(z.email({ pattern: ADDRESS }));
