import { createHash } from 'node:crypto';
import { createTransport } from 'nodemailer';
import type { Email } from './messages.ts';
import { NotSent, type Sender } from './sender.ts';

export interface SmtpSettings {
  /** smtp:// or smtps://, with user and password if needed. */
  url: string;
  /** The sender, as `Name <address>`. */
  from: string;
}

const TIMEOUT_MS = 10_000;

/** Sends emails over SMTP. */
export function smtpSender(
  { url, from }: SmtpSettings,
  timeoutMs = TIMEOUT_MS,
): Sender<Email> & { close(): void } {
  const transport = createTransport({
    url,
    connectionTimeout: timeoutMs,
    greetingTimeout: timeoutMs,
    dnsTimeout: timeoutMs,
    socketTimeout: timeoutMs,
    // No content is read from files or URLs.
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  const domain = /@([^>\s]+)/.exec(from)?.[1] ?? 'localhost';
  return {
    async send({ to, subject, text, html, unsubscribe_url }, key) {
      const id = createHash('sha256').update(key).digest('hex').slice(0, 32);
      try {
        const { messageId } = await transport.sendMail({
          from,
          // As an object, so that nothing in it is read as a list of recipients.
          to: { name: '', address: to },
          subject,
          text,
          html,
          // The same for each try, so that mailboxes show repeats once.
          messageId: `<${id}@${domain}>`,
          headers: {
            'Auto-Submitted': 'auto-generated',
            ...(unsubscribe_url && {
              'List-Unsubscribe': `<${unsubscribe_url}>`,
              'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
            }),
          },
        });
        return messageId;
      } catch (error) {
        throw notSentError(error);
      }
    },
    close: () => transport.close(),
  };
}

/** Only a permanent rejection of this recipient or message is final; every other error may be temporary. */
function notSentError(error: unknown): NotSent {
  const smtpError = error as { code?: string; responseCode?: number; command?: string };
  const { code = 'failed', responseCode, command } = smtpError;
  const isAboutMessage = (code === 'EENVELOPE' && command !== 'MAIL FROM') || code === 'EMESSAGE';
  return new NotSent(`smtp ${responseCode ?? code}`, {
    isFinal: isAboutMessage && responseCode !== undefined && responseCode >= 500,
    cause: error,
  });
}
