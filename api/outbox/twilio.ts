import { z } from 'zod';
import type { TextMessage } from './messages.ts';
import { NotSent, type Sender } from './sender.ts';

export interface TwilioSettings {
  accountSid: string;
  authToken: string;
  /** A number in E.164, or the SID of a messaging service. */
  from: string;
  /** Without a slash at the end. */
  baseUrl: string;
}

const PATIENCE_MS = 10_000;
/** The recipient has answered STOP. */
const OPTED_OUT = 21_610;

const created = z.object({ sid: z.string() });
const refused = z.object({ code: z.number() });

/** Sends text messages through Twilio. */
export function twilioSender(
  { accountSid, authToken, from, baseUrl }: TwilioSettings,
  patienceMs = PATIENCE_MS,
): Sender<TextMessage> {
  const url = `${baseUrl}/2010-04-01/Accounts/${encodeURIComponent(accountSid)}/Messages.json`;
  const authorization = `Basic ${Buffer.from(`${accountSid}:${authToken}`).toString('base64')}`;
  return {
    async send({ to, text }) {
      const sender = from.startsWith('MG') ? 'MessagingServiceSid' : 'From';
      const answer = await fetch(url, {
        method: 'POST',
        headers: { authorization },
        body: new URLSearchParams({ To: to, [sender]: from, Body: text }),
        redirect: 'error',
        signal: AbortSignal.timeout(patienceMs),
      }).catch((cause: unknown) => {
        throw new NotSent('twilio did not answer', { cause });
      });
      const said: unknown = await answer.json().catch(() => null);
      // Accepted with an answer that cannot be read is accepted: trying again would send it twice.
      if (answer.ok) return created.safeParse(said).data?.sid ?? null;
      const code = refused.safeParse(said).data?.code;
      throw new NotSent(`twilio ${code ?? answer.status}`, {
        isOptOut: code === OPTED_OUT,
        // 401 and 403 are about our account, which somebody will mend.
        isFinal:
          answer.status >= 400 &&
          answer.status < 500 &&
          ![401, 403, 408, 429].includes(answer.status),
        retryAfterMs: secondsIn(answer.headers.get('retry-after')),
      });
    },
  };
}

const secondsIn = (retryAfter: string | null): number | null =>
  retryAfter !== null && /^\d{1,6}$/.test(retryAfter) ? Number(retryAfter) * 1000 : null;
