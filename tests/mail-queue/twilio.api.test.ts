import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { NotSent } from '../../api/platform/mail-queue/sender.ts';
import { twilioSender } from '../../api/platform/mail-queue/twilio.ts';
import { malformed, refused, silence, startTwilio } from './twilio-emulator.ts';

let twilio: Awaited<ReturnType<typeof startTwilio>>;
beforeAll(async () => {
  twilio = await startTwilio();
});
afterAll(() => twilio.close());
beforeEach(() => {
  twilio.calls.length = 0;
});

const message = {
  channel: 'sms' as const,
  to: '+12025550123',
  text: 'Hé & =hi\n🐕',
  unsolicited: true,
};
function send(timeoutMs?: number, from = '+15005550006') {
  const { baseUrl } = twilio;
  const settings = { accountSid: 'AC1', authToken: 'a secret', from, baseUrl };
  return twilioSender(settings, timeoutMs).send(message, 'key');
}
const trouble = async (timeoutMs?: number) => {
  const error = await send(timeoutMs).then(
    (answer) => answer,
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof NotSent)) throw new Error(`not refused: ${String(error)}`);
  const { code, isFinal, isOptOut, retryAfterMs } = error;
  return { code, isFinal, isOptOut, retryAfterMs };
};

test('calls the Twilio API as documented and returns the message id', async () => {
  expect(await send()).toBe('SM0123456789abcdef');
  expect(twilio.calls).toEqual([
    {
      path: '/2010-04-01/Accounts/AC1/Messages.json',
      authorization: `Basic ${btoa('AC1:a secret')}`,
      form: { To: message.to, From: '+15005550006', Body: message.text },
    },
  ]);
});

test('sends through a messaging service when one is configured', async () => {
  await send(undefined, 'MG123');
  expect(twilio.calls[0]?.form).toEqual({
    To: message.to,
    MessagingServiceSid: 'MG123',
    Body: message.text,
  });
});

describe('errors of Twilio', () => {
  const passing = { isFinal: false, isOptOut: false, retryAfterMs: null };

  test('retries too many requests after the delay that Twilio asks for', async () => {
    twilio.next(refused(429, 20_429, { 'retry-after': '7' }), refused(429, 20_429));
    twilio.next(
      refused(429, 20_429, {
        'retry-after': 'Sun, 06 Nov 1994 08:50:00 GMT',
        date: 'Sun, 06 Nov 1994 08:49:00 GMT',
      }),
    );
    expect(await trouble()).toEqual({ ...passing, code: 'twilio 20429', retryAfterMs: 7_000 });
    expect(await trouble()).toEqual({ ...passing, code: 'twilio 20429' });
    expect(await trouble()).toEqual({ ...passing, code: 'twilio 20429', retryAfterMs: 60_000 });
  });

  test('treats server errors and account errors as temporary', async () => {
    twilio.next(malformed(503), refused(401, 20_003));
    expect(await trouble()).toEqual({ ...passing, code: 'twilio 503' });
    expect(await trouble()).toEqual({ ...passing, code: 'twilio 20003' });
  });

  test('treats a nonexistent number as a permanent failure', async () => {
    twilio.next(refused(400, 21_211));
    expect(await trouble()).toEqual({ ...passing, code: 'twilio 21211', isFinal: true });
  });

  test('treats an answer of STOP as an opt-out', async () => {
    twilio.next(refused(400, 21_610));
    expect(await trouble()).toMatchObject({ isOptOut: true, isFinal: true });
  });
});

test('treats a timeout as temporary', async () => {
  twilio.next(silence);
  expect(await trouble(200)).toMatchObject({ code: 'twilio did not answer', isFinal: false });
});

test('treats an accepted message with an unreadable response as sent', async () => {
  twilio.next(malformed(201));
  expect(await send()).toBeNull();
});
