import { beforeEach, describe, expect, test, vi } from 'vitest';
import { validateCode } from '#shared/access-gate/contract.ts';
import type { Endpoint } from '#shared/endpoint.ts';
import { checkDonation, createDonation, processDonation } from '#shared/payments/contract.ts';
import { CallError } from '../../client/call.ts';
import { Donation, type DonationSettings } from '../../client/payments/donation.ts';

type Answer = object | CallError;

let kept: string | null;
let answers: Map<Endpoint, Answer[]>;
let asked: Endpoint[];
let waits: number[];
let token: () => Promise<string | null>;

/** What the server says, in order; the last answer to a call stays. */
const says = (endpoint: Endpoint, ...said: Answer[]) => answers.set(endpoint, said);
const offline = () => new CallError('no network', 0, 'offline');

function donation(): Donation {
  const call = async (endpoint: Endpoint) => {
    asked.push(endpoint);
    const said = answers.get(endpoint) ?? [];
    const answer = said.length > 1 ? said.shift() : said[0];
    if (!answer) throw new Error(`nobody asked for ${endpoint.path}`);
    if (answer instanceof CallError) throw answer;
    return answer;
  };
  return new Donation({
    call: call as unknown as DonationSettings['call'],
    kept: () => kept,
    keep: (id) => {
      kept = id;
    },
    wait: async (milliseconds) => void waits.push(milliseconds),
  });
}
const LATER = '2027-01-01T00:00:00.000Z';
const count = (endpoint: Endpoint) => asked.filter((each) => each === endpoint).length;
const settled = (flow: Donation, is: string) =>
  vi.waitFor(() => expect(flow.getState().is).toBe(is));

beforeEach(() => {
  kept = null;
  answers = new Map();
  asked = [];
  waits = [];
  token = async () => 'a token';
  says(createDonation, { donation: { id: 'd1' } });
  says(processDonation, { success: true, access_code: 'PAW-1' });
  says(validateCode, { code: 'PAW-1', expires_at: LATER });
});

describe('a donation', () => {
  test('is paid once, however often the button is pressed', async () => {
    const flow = donation();
    await Promise.all([flow.pay(token), flow.pay(token), flow.pay(token)]);
    expect(flow.getState()).toEqual({ is: 'granted', code: 'PAW-1', expires_at: LATER });
    expect(asked).toEqual([createDonation, processDonation, validateCode]);
    expect(kept).toBeNull();
    await flow.pay(token);
    expect(count(createDonation)).toBe(1);
  });

  test('that was cancelled leaves nothing and says nothing', async () => {
    const flow = donation();
    await flow.pay(async () => null);
    expect(flow.getState()).toEqual({ is: 'open', problem: null });
    expect(asked).toEqual([]);
  });

  test.each([
    ['wallet', 'Payment failed'],
    ['record', 'Failed to create donation record'],
    ['declined', 'Payment processing failed'],
  ])('whose %s fails says %s, and that nothing was charged', async (what, title) => {
    vi.spyOn(console, 'error').mockReturnValue();
    if (what === 'record') says(createDonation, offline());
    if (what === 'declined')
      says(processDonation, new CallError('Payment processing failed', 402, 'payment_declined'));
    const flow = donation();
    await flow.pay(what === 'wallet' ? () => Promise.reject(new Error('wallet')) : token);
    expect(flow.getState()).toMatchObject({
      is: 'open',
      problem: { title, words: expect.stringContaining('Nothing was charged') as string },
    });
    expect(kept).toBeNull();
  });

  test('whose outcome is not known is asked for until it is', async () => {
    says(processDonation, offline());
    says(
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

  test('that went through without a code says so and goes on asking', async () => {
    says(processDonation, { success: true, access_code: null });
    const titles: string[] = [];
    says(
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

  test('that the server did not take is closed by asking, with its words', async () => {
    says(processDonation, new CallError('Too many attempts.', 429, 'rate_limited'));
    says(checkDonation, { payment_status: 'failed', access_code: null });
    const flow = donation();
    await flow.pay(token);
    expect(flow.getState()).toEqual({
      is: 'open',
      problem: { title: 'Payment processing failed', words: 'Too many attempts.' },
    });
    expect(kept).toBeNull();
  });
});

describe('a donation that this device kept', () => {
  test('is taken up: nobody is asked to pay, and its code is used as often as it takes', async () => {
    kept = 'd1';
    says(checkDonation, { payment_status: 'completed', access_code: 'PAW-4' });
    says(validateCode, offline(), offline(), { code: 'PAW-4', expires_at: LATER });
    const flow = donation();
    expect(flow.getState()).toEqual({ is: 'checking', problem: null });
    await flow.pay(token);
    flow.resume();
    flow.resume();
    await settled(flow, 'granted');
    expect(asked).not.toContain(createDonation);
    expect(count(validateCode)).toBe(3);
    expect(kept).toBeNull();
  });

  test.each(['before', 'while'])(
    'in another tab, %s the wallet was open in this one, is taken up: nothing is paid twice',
    async (when) => {
      says(checkDonation, { payment_status: 'completed', access_code: 'PAW-6' });
      const flow = donation();
      if (when === 'before') kept = 'd1';
      await flow.pay(async () => {
        kept = 'd1';
        return token();
      });
      await settled(flow, 'granted');
      expect(asked).toEqual([checkDonation, validateCode]);
      expect(flow.getState()).toMatchObject({ code: 'PAW-6' });
    },
  );

  test.each([
    [{ payment_status: 'failed', access_code: null }, 'Nothing was charged'],
    [{ payment_status: 'refunded', access_code: null }, 'was paid back'],
  ])('and came to nothing is over: %j', async (answer, words) => {
    kept = 'd1';
    says(checkDonation, answer);
    const flow = donation();
    flow.resume();
    await settled(flow, 'open');
    expect(flow.getState()).toMatchObject({
      problem: { words: expect.stringContaining(words) as string },
    });
    expect(kept).toBeNull();
  });

  test('stays kept when the page is left, and goes on when it is back', async () => {
    kept = 'd1';
    says(checkDonation, { payment_status: 'completed', access_code: 'PAW-5' });
    const flow = donation();
    flow.resume();
    flow.stop();
    expect(kept).toBe('d1');
    flow.resume();
    await settled(flow, 'granted');
  });
});
