import { beforeEach, describe, expect, test, vi } from 'vitest';
import { validateCode } from '#shared/access-gate/contract.ts';
import type { Endpoint } from '#shared/endpoint.ts';
import { checkDonation, createDonation, processDonation } from '#shared/payments/contract.ts';
import { Donation } from '../../client/features/payments/donation.ts';
import { CallError } from '../../client/platform/http/api-client.ts';
import { ScriptedServer } from './scripted-server.ts';

let stored: string | null;
let server: ScriptedServer;
let waits: number[];
let token: () => Promise<string | null>;

const offline = () => new CallError('no network', 0, 'offline');

function donation(): Donation {
  return new Donation({
    call: server.call,
    stored: () => stored,
    store: (id) => {
      stored = id;
    },
    wait: async (milliseconds) => void waits.push(milliseconds),
  });
}
const LATER = '2027-01-01T00:00:00.000Z';
const count = (endpoint: Endpoint) => server.asked.filter((each) => each === endpoint).length;
const settled = (flow: Donation, is: string) =>
  vi.waitFor(() => expect(flow.getState().is).toBe(is));

beforeEach(() => {
  stored = null;
  server = new ScriptedServer();
  waits = [];
  token = async () => 'a token';
  server.says(createDonation, { donation: { id: 'd1' } });
  server.says(processDonation, { success: true, access_code: 'PAW-1' });
  server.says(validateCode, { code: 'PAW-1', expires_at: LATER });
});

describe('a donation', () => {
  test('pays once, however often the button is pressed', async () => {
    const flow = donation();
    await Promise.all([flow.pay(token), flow.pay(token), flow.pay(token)]);
    expect(flow.getState()).toEqual({ is: 'granted', code: 'PAW-1', expires_at: LATER });
    expect(server.asked).toEqual([createDonation, processDonation, validateCode]);
    expect(stored).toBeNull();
    await flow.pay(token);
    expect(count(createDonation)).toBe(1);
  });

  test('a payment canceled in the wallet records nothing and shows no error', async () => {
    const flow = donation();
    await flow.pay(async () => null);
    expect(flow.getState()).toEqual({ is: 'open', problem: null });
    expect(server.asked).toEqual([]);
  });

  test.each([
    ['wallet', 'Payment failed'],
    ['record', 'Failed to create donation record'],
    ['declined', 'Payment processing failed'],
  ])('a failed %s shows “%s” and that nothing was charged', async (what, title) => {
    vi.spyOn(console, 'error').mockReturnValue();
    if (what === 'record') server.says(createDonation, offline());
    if (what === 'declined')
      server.says(
        processDonation,
        new CallError('Payment processing failed', 402, 'payment_declined'),
      );
    const flow = donation();
    await flow.pay(what === 'wallet' ? () => Promise.reject(new Error('wallet')) : token);
    expect(flow.getState()).toMatchObject({
      is: 'open',
      problem: { title, words: expect.stringContaining('weren’t charged') as string },
    });
    expect(stored).toBeNull();
  });

  test('checks a payment with an unknown outcome until it is known', async () => {
    server.says(processDonation, offline());
    server.says(
      checkDonation,
      offline(),
      { payment_status: 'pending', access_code: null },
      { payment_status: 'completed', access_code: 'PAW-2' },
    );
    const flow = donation();
    await flow.pay(token);
    expect(flow.getState()).toEqual({ is: 'granted', code: 'PAW-2', expires_at: LATER });
    expect(count(checkDonation)).toBe(3);
    expect(waits).toHaveLength(2);
  });

  test('shows that a paid donation has no code yet and keeps checking', async () => {
    server.says(processDonation, { success: true, access_code: null });
    const titles: string[] = [];
    server.says(
      checkDonation,
      { payment_status: 'completed', access_code: null },
      { payment_status: 'completed', access_code: 'PAW-3' },
    );
    const flow = donation();
    flow.subscribe(() => {
      const state = flow.getState();
      if (state.is === 'checking' && state.problem) titles.push(state.problem.title);
    });
    await flow.pay(token);
    expect(titles).toContain('Payment completed but access code not generated');
    expect(flow.getState()).toEqual({ is: 'granted', code: 'PAW-3', expires_at: LATER });
  });

  test('checks a payment that the server rejected and shows the server’s error', async () => {
    server.says(processDonation, new CallError('Too many attempts.', 429, 'rate_limited'));
    server.says(checkDonation, { payment_status: 'failed', access_code: null });
    const flow = donation();
    await flow.pay(token);
    expect(flow.getState()).toEqual({
      is: 'open',
      problem: { title: 'Payment processing failed', words: 'Too many attempts.' },
    });
    expect(stored).toBeNull();
  });
});

describe('a donation stored on the device', () => {
  test('resumes a stored donation without another payment and retries its code', async () => {
    stored = 'd1';
    server.says(checkDonation, { payment_status: 'completed', access_code: 'PAW-4' });
    server.says(validateCode, offline(), offline(), { code: 'PAW-4', expires_at: LATER });
    const flow = donation();
    expect(flow.getState()).toEqual({ is: 'checking', problem: null });
    await flow.pay(token);
    flow.resume();
    flow.resume();
    await settled(flow, 'granted');
    expect(server.asked).not.toContain(createDonation);
    expect(count(validateCode)).toBe(3);
    expect(stored).toBeNull();
  });

  test.each(['before', 'while'])(
    'resumes a donation stored by another tab %s opening the wallet, without paying twice',
    async (when) => {
      server.says(checkDonation, { payment_status: 'completed', access_code: 'PAW-6' });
      const flow = donation();
      if (when === 'before') stored = 'd1';
      await flow.pay(async () => {
        stored = 'd1';
        return token();
      });
      await settled(flow, 'granted');
      expect(server.asked).toEqual([checkDonation, validateCode]);
      expect(flow.getState()).toMatchObject({ code: 'PAW-6' });
    },
  );

  test.each([
    [{ payment_status: 'failed', access_code: null }, 'You weren’t charged'],
    [{ payment_status: 'refunded', access_code: null }, 'was refunded'],
  ])('forgets a stored donation that ended as %j', async (answer, words) => {
    stored = 'd1';
    server.says(checkDonation, answer);
    const flow = donation();
    flow.resume();
    await settled(flow, 'open');
    expect(flow.getState()).toMatchObject({
      problem: { words: expect.stringContaining(words) as string },
    });
    expect(stored).toBeNull();
  });

  test('stays stored when the page closes, and resumes when it opens again', async () => {
    stored = 'd1';
    server.says(checkDonation, { payment_status: 'completed', access_code: 'PAW-5' });
    const flow = donation();
    flow.resume();
    flow.stop();
    expect(stored).toBe('d1');
    flow.resume();
    await settled(flow, 'granted');
  });
});
