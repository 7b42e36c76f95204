import { createHash } from 'node:crypto';
import { createTransport } from 'nodemailer';
import type { Email } from './messages.ts';
import { NotSent, type Sender } from './sender.ts';

export interface SmtpSettings {
  /** smtp:// or smtps://, with user and password where there are any. */
  url: string;
  /** The sender, as `Name <address>`. */
  from: string;
}

const PATIENCE_MS = 10_000;

/** Sends letters over SMTP. */
export function smtpSender(
  { url, from }: SmtpSettings,
  patienceMs = PATIENCE_MS,
): Sender<Email> & { close(): void } {
  const transport = createTransport({
    url,
    connectionTimeout: patienceMs,
    greetingTimeout: patienceMs,
    dnsTimeout: patienceMs,
    socketTimeout: patienceMs,
    // What a letter contains is never read from a file or an address.
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
          // The same at each try: a mailbox that got it twice shows it once.
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

/** A server that refuses this reader or this letter for good is not asked again; everything else may pass. */
function notSentError(error: unknown): NotSent {
  const said = error as { code?: string; responseCode?: number; command?: string };
  const { code = 'failed', responseCode, command } = said;
  const isAboutMessage = (code === 'EENVELOPE' && command !== 'MAIL FROM') || code === 'EMESSAGE';
  return new NotSent(`smtp ${responseCode ?? code}`, {
    isFinal: isAboutMessage && responseCode !== undefined && responseCode >= 500,
    cause: error,
  });
}
