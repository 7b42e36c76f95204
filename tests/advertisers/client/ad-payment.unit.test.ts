import { beforeEach, expect, test, vi } from 'vitest';
import { checkAdPayment, payForAd } from '#shared/advertisers/contract.ts';
import { AdPayment } from '../../../client/features/advertisers/ad-payment.ts';
import { CallError } from '../../../client/platform/http/api-client.ts';
import { ScriptedServer } from '../../payments/scripted-server.ts';

let server: ScriptedServer;
let sent: boolean[];
let paid: number;

const refused = (status: number, code: string, words = 'Payment processing failed') =>
  new CallError(words, status, code);
const token = async () => 'a token';

function payment(isSent = false): AdPayment {
  return new AdPayment({
    call: server.call,
    ad: { advertiser_id: 'a', advertisement_id: 7, period: 0 },
    isSent,
    storeSent: (isNow) => void sent.push(isNow),
    onPaid: () => {
      paid += 1;
    },
    wait: async () => {},
  });
}

beforeEach(() => {
  server = new ScriptedServer();
  sent = [];
  paid = 0;
});

test('pays for an ad once, however often the button is pressed', async () => {
  server.says(payForAd, { success: true, error: null });
  const flow = payment();
  await Promise.all([flow.pay(token), flow.pay(token)]);
  await flow.pay(token);
  expect(flow.getState()).toEqual({ is: 'paid' });
  expect([server.asked, sent, paid]).toEqual([[payForAd], [true, false], 1]);
});

test('sends nothing when the wallet is closed or fails', async () => {
  vi.spyOn(console, 'error').mockReturnValue();
  const flow = payment();
  await flow.pay(async () => null);
  expect(flow.getState()).toMatchObject({ is: 'open', problem: null });
  await flow.pay(() => Promise.reject(new Error('wallet')));
  expect(flow.getState()).toMatchObject({
    problem: 'Payment failed. You weren’t charged. You can try again.',
  });
  expect(server.asked).toEqual([]);
});

test.each([
  ['payment_declined', 402, 'Payment failed: The card was declined.', false],
  ['slot_taken', 409, 'Payment failed: This time is taken.', true],
])('shows the error %s at once', async (code, status, problem, isTimeTaken) => {
  server.says(payForAd, refused(status, code, 'This time is taken.'));
  const flow = payment();
  await flow.pay(token);
  expect(flow.getState()).toMatchObject({
    is: 'open',
    problem: expect.stringContaining(problem) as string,
    isTimeTaken,
  });
  expect(server.asked).toEqual([payForAd]);
});

test('polls an unknown payment result until it is known', async () => {
  server.says(payForAd, refused(0, 'offline'));
  server.says(
    checkAdPayment,
    refused(0, 'offline'),
    { payment_status: 'pending' },
    { payment_status: 'completed' },
  );
  const problems = new Set<unknown>();
  const flow = payment();
  flow.subscribe(() => {
    const state = flow.getState();
    if (state.is === 'checking') problems.add(state.problem);
  });
  await flow.pay(token);
  expect(flow.getState()).toEqual({ is: 'paid' });
  expect([...problems]).toEqual([null, 'Payment completed but failed to process']);
  expect(sent).toEqual([true, false]);
});

test.each([
  [{ payment_status: 'failed' }, 'Payment failed: Too many attempts.', false],
  [{ payment_status: 'refunded' }, 'Your payment arrived too late', true],
  [refused(404, 'not_found'), 'Payment failed: Too many attempts.', false],
])('resolves a refused payment by checking it: %j', async (answer, words, isTimeTaken) => {
  server.says(payForAd, refused(429, 'rate_limited', 'Too many attempts.'));
  server.says(checkAdPayment, answer);
  const flow = payment();
  await flow.pay(token);
  expect(flow.getState()).toMatchObject({
    is: 'open',
    problem: expect.stringContaining(words) as string,
    isTimeTaken,
  });
});

test('resumes a payment sent earlier, and shows no error if it no longer exists', async () => {
  server.says(checkAdPayment, refused(404, 'not_found'));
  const flow = payment(true);
  expect(flow.getState()).toEqual({ is: 'checking', problem: null });
  flow.resume();
  flow.stop();
  flow.resume();
  await vi.waitFor(() => expect(flow.getState()).toMatchObject({ is: 'open', problem: null }));
});
