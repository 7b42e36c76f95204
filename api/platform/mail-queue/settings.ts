import { isSupportedCountry } from 'libphonenumber-js/max';
import { z } from 'zod';
import { optional } from '../env-fields.ts';
import type { SmtpSettings } from './smtp.ts';
import type { TwilioSettings } from './twilio.ts';

/** Environment variables of emails and text messages. */
export const mailVariables = {
  SMTP_URL: optional
    .pipe(z.url({ protocol: /^smtps?$/ }).optional())
    .describe('Mail server, `smtp://` or `smtps://` with user and password'),
  MAIL_FROM: optional
    .pipe(
      z
        .string()
        .regex(/^[^\r\n]*[^\s<>@]+@[^\s<>@]+>?$/)
        .optional(),
    )
    .describe('Sender of emails'),
  MAIL_FOOTER: optional.describe('Last lines of every email: the sender with a postal address'),
  TWILIO_ACCOUNT_SID: optional.describe('Text messages by Twilio'),
  TWILIO_AUTH_TOKEN: optional.describe('Its token'),
  TWILIO_FROM: optional.describe('A number or a messaging service (MG…)'),
  TWILIO_BASE_URL: optional
    .pipe(z.url().default('https://api.twilio.com'))
    .describe('For an emulator'),
  SMS_COUNTRIES: optional
    .pipe(
      z
        .string()
        .default('US,CA')
        .transform((list) =>
          list
            .toUpperCase()
            .split(/[\s,]+/)
            .filter(Boolean),
        )
        .pipe(z.array(z.string().refine(isSupportedCountry, { error: 'Unknown country' })).min(1)),
    )
    .describe('Countries whose mobile numbers get text messages, as two-letter codes'),
};
type MailVariables = z.output<z.ZodObject<typeof mailVariables>>;

const TWILIO = ['TWILIO_ACCOUNT_SID', 'TWILIO_AUTH_TOKEN', 'TWILIO_FROM'] as const;

/** Reports the missing variables of an incompletely configured provider. */
export function checkMail(
  env: MailVariables,
  missing: (name: string, message: string) => void,
): void {
  if (env.SMTP_URL && !env.MAIL_FROM) missing('MAIL_FROM', 'Required with SMTP_URL');
  if (TWILIO.some((name) => env[name]))
    for (const name of TWILIO) if (!env[name]) missing(name, 'Required with the rest of TWILIO_*');
}

export interface MailSettings {
  /** Null without a provider: then the sandbox is used where it is allowed. */
  smtp: SmtpSettings | null;
  twilio: TwilioSettings | null;
  footer: string;
}

/** Reads the configured providers; `checkMail` has rejected incomplete ones. */
export function readMail(env: MailVariables): MailSettings {
  const { SMTP_URL: url, MAIL_FROM: mailFrom, MAIL_FOOTER: footer = '' } = env;
  const { TWILIO_ACCOUNT_SID: accountSid, TWILIO_AUTH_TOKEN: authToken } = env;
  const { TWILIO_FROM: from, TWILIO_BASE_URL } = env;
  const baseUrl = TWILIO_BASE_URL.replace(/\/$/, '');
  return {
    smtp: url && mailFrom ? { url, from: mailFrom } : null,
    twilio: accountSid && authToken && from ? { accountSid, authToken, from, baseUrl } : null,
    footer,
  };
}
