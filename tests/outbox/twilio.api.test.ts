import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { NotSent } from '../../api/outbox/sender.ts';
import { twilioSender } from '../../api/outbox/twilio.ts';
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

test('asks as Twilio’s documentation has it, and gives back its id', async () => {
  expect(await send()).toBe('SM0123456789abcdef');
  expect(twilio.calls).toEqual([
    {
      path: '/2010-04-01/Accounts/AC1/Messages.json',
      authorization: `Basic ${btoa('AC1:a secret')}`,
      form: { To: message.to, From: '+15005550006', Body: message.text },
    },
  ]);
});

test('sends through a messaging service where one is named', async () => {
  await send(undefined, 'MG123');
  expect(twilio.calls[0]?.form).toEqual({
    To: message.to,
    MessagingServiceSid: 'MG123',
    Body: message.text,
  });
});

describe('when it refuses', () => {
  const passing = { isFinal: false, isOptOut: false, retryAfterMs: null };

  test('too many requests are tried later, as late as it says', async () => {
    twilio.next(refused(429, 20_429, { 'retry-after': '7' }), refused(429, 20_429));
    expect(await trouble()).toEqual({ ...passing, code: 'twilio 20429', retryAfterMs: 7_000 });
    expect(await trouble()).toEqual({ ...passing, code: 'twilio 20429' });
  });

  test('its own trouble, and trouble with our account, pass', async () => {
    twilio.next(malformed(503), refused(401, 20_003));
    expect(await trouble()).toEqual({ ...passing, code: 'twilio 503' });
    expect(await trouble()).toEqual({ ...passing, code: 'twilio 20003' });
  });

  test('a number that does not exist stays so', async () => {
    twilio.next(refused(400, 21_211));
    expect(await trouble()).toEqual({ ...passing, code: 'twilio 21211', isFinal: true });
  });

  test('whoever answered STOP has opted out', async () => {
    twilio.next(refused(400, 21_610));
    expect(await trouble()).toMatchObject({ isOptOut: true, isFinal: true });
  });
});

test('no answer in time passes', async () => {
  twilio.next(silence);
  expect(await trouble(200)).toMatchObject({ code: 'twilio did not answer', isFinal: false });
});

test('what it took and answered unreadably is sent: again would be twice', async () => {
  twilio.next(malformed(201));
  expect(await send()).toBeNull();
});
