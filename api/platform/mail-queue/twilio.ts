import { z } from 'zod';
import { retryAfterMs } from '#shared/retry-after.ts';
import type { TextMessage } from './messages.ts';
import { NotSent, type Sender } from './sender.ts';

export interface TwilioSettings {
  accountSid: string;
  authToken: string;
  /** A number in E.164, or the SID of a messaging service. */
  from: string;
  /** Without a trailing slash. */
  baseUrl: string;
}

const TIMEOUT_MS = 10_000;
/** The recipient has answered STOP. */
const OPTED_OUT = 21_610;

const created = z.object({ sid: z.string() });
const refused = z.object({ code: z.number() });

/** Sends text messages through Twilio. */
export function twilioSender(
  { accountSid, authToken, from, baseUrl }: TwilioSettings,
  timeoutMs = TIMEOUT_MS,
): Sender<TextMessage> {
  const url = `${baseUrl}/2010-04-01/Accounts/${encodeURIComponent(accountSid)}/Messages.json`;
  const authorization = `Basic ${Buffer.from(`${accountSid}:${authToken}`).toString('base64')}`;
  return {
    async send({ to, text }) {
      const sender = from.startsWith('MG') ? 'MessagingServiceSid' : 'From';
      const response = await fetch(url, {
        method: 'POST',
        headers: { authorization },
        body: new URLSearchParams({ To: to, [sender]: from, Body: text }),
        redirect: 'error',
        signal: AbortSignal.timeout(timeoutMs),
      }).catch((cause: unknown) => {
        throw new NotSent('twilio did not answer', { cause });
      });
      const body: unknown = await response.json().catch(() => null);
      // Accepted even if the response is unreadable: another try would send it twice.
      if (response.ok) return created.safeParse(body).data?.sid ?? null;
      const code = refused.safeParse(body).data?.code;
      throw new NotSent(`twilio ${code ?? response.status}`, {
        isOptOut: code === OPTED_OUT,
        // 401 and 403 are about our account: the operator can fix that.
        isFinal:
          response.status >= 400 &&
          response.status < 500 &&
          ![401, 403, 408, 429].includes(response.status),
        retryAfterMs: retryAfterMs(response.headers),
      });
    },
  };
}
