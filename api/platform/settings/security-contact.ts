import { z } from 'zod';
import { emailAddress } from '#shared/normalization/email-address.ts';

/** The contact for vulnerability reports: an https or mailto URL, or an email address. */
export const securityContact = z
  .string()
  .optional()
  .transform((value) => value?.trim() || undefined)
  .pipe(
    z
      .string()
      .regex(/^[\x21-\x7e]+$/)
      .pipe(
        z.union([
          emailAddress().transform(
            (address) => `mailto:${encodeURIComponent(address).replace('%40', '@')}`,
          ),
          z.url({ protocol: /^(https|mailto)$/ }),
        ]),
      )
      .optional(),
  );
