// @vitest-environment jsdom
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { openCardForm } from '../../client/features/payments/card-form.ts';

beforeEach(() => {
  vi.useFakeTimers();
  onTestFinished(() => {
    vi.useRealTimers();
    document.head.replaceChildren();
    delete window.Stripe;
  });
});

const open = () =>
  openCardForm('pk_test', { place: document.createElement('div'), cents: 500, isDark: false });
const failureOf = (asked: Promise<unknown>) => asked.then(() => '', String);
const scripts = () => [...document.head.querySelectorAll('script')];

test('gives up when Stripe’s script or form stalls, and can be tried again', async () => {
  const stalled = failureOf(open());
  await vi.advanceTimersByTimeAsync(20_000);
  expect(await stalled).toContain('stripe.js did not load');
  expect(scripts()).toEqual([]);

  const destroy = vi.fn<() => void>();
  const listeners = new Map<string, () => void>();
  const on = (event: string, listener: () => void) => void listeners.set(event, listener);
  const create = () => ({ on, mount: () => {}, destroy });
  window.Stripe = () => ({
    elements: () => ({ create, submit: async () => ({}) }),
    createConfirmationToken: async () => ({}),
  });
  const silent = failureOf(open());
  scripts()[0]?.dispatchEvent(new Event('load'));
  await vi.advanceTimersByTimeAsync(0);
  await vi.advanceTimersByTimeAsync(20_000);
  expect(await silent).toContain('Stripe’s form did not load');
  expect(destroy).toHaveBeenCalledOnce();

  const ready = open();
  await vi.advanceTimersByTimeAsync(0);
  listeners.get('ready')?.();
  await expect(ready).resolves.toMatchObject({ close: expect.any(Function) });
  expect(vi.getTimerCount()).toBe(0);
});
