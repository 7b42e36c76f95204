import { createAdvertiser, createTimedAd } from '#shared/advertisers/contract.ts';
import { company, inHours, timedFields } from '../advertisers/sign-up.ts';
import { expect, expectAccessible, freshEmail, test } from '../browser.ts';

/** In place of Stripe's script: its form is a frame of Stripe's, and needs the network. */
const STRIPE = `window.Stripe = (key) => ({
  elements: (options) => {
    window.opened = { key, options };
    return {
      create: () => {
        const listeners = {};
        return {
          on: (event, listener) => (listeners[event] = listener),
          mount: (place) => {
            place.innerHTML = '<label>Card number <input></label>';
            setTimeout(() => listeners.ready());
          },
          destroy: () => {},
        };
      },
      submit: async () => (document.querySelector('label input').value ? {} : { error: 'incomplete' }),
    };
  },
  createConfirmationToken: async () => ({ confirmationToken: { id: 'ctoken_of_the_test' } }),
});`;

test('an advertiser pays by card in Stripe’s form, whose script is loaded by nobody else', async ({
  browser,
  origin,
}) => {
  // The policy of the sandbox doesn't allow Stripe.
  const context = await browser.newContext({
    baseURL: origin,
    bypassCSP: true,
    viewport: { width: 360, height: 740 },
  });
  const page = await context.newPage();
  let asked = 0;
  await context.route('https://js.stripe.com/**', (route) => {
    asked++;
    return route.fulfill({ contentType: 'text/javascript', body: STRIPE });
  });
  await context.route('**/api/google-pay/config', async (route) => {
    const response = await route.fetch();
    return route.fulfill({
      response,
      json: { ...(await response.json()), card_form_key: 'pk_test_of_the_test' },
    });
  });
  let paid: unknown;
  await context.route('**/api/advertiser-payments/process', (route) => {
    paid = route.request().postDataJSON();
    return route.fulfill({ status: 402, json: { error: 'Declined', code: 'payment_declined' } });
  });

  const post = async (path: string, data: object) =>
    (await context.request.post(`/api${path}`, { data })).json();
  const { advertiser } = (await post(createAdvertiser.path, {
    ...company,
    email: freshEmail('shop'),
  })) as { advertiser: { id: string } };
  const scheduled_start_at = inHours(24 + Math.floor(Math.random() * 1_000) * 4);
  const made = (await post(createTimedAd.path, {
    advertiser_id: advertiser.id,
    ...timedFields({ scheduled_start_at, placement: 'sidebar' }),
  })) as { advertisement: { id: number } };
  await page.goto('/advertiser');
  await page.getByRole('button', { name: /^Pay \$200/ }).click();
  const card = page.getByRole('button', { name: 'Card or Apple Pay' });
  await expect(card).toBeVisible();
  expect(asked).toBe(0);
  await card.click();
  const form = page.getByRole('region', { name: 'Card or Apple Pay' });
  const pay = form.getByRole('button', { name: 'Pay $200.00' });
  await expect(pay).toBeEnabled();
  // The button that was pressed is gone.
  await expect(form).toBeFocused();
  expect(asked).toBe(1);
  await expectAccessible(page);
  expect(await page.evaluate('window.opened')).toMatchObject({
    key: 'pk_test_of_the_test',
    options: {
      mode: 'payment',
      amount: 20_000,
      currency: 'usd',
      allowedPaymentMethodTypes: ['card'],
    },
  });
  // The form says what is missing, and nothing is sent.
  await pay.click();
  await expect(pay).toBeEnabled();
  expect(paid).toBeUndefined();
  await form.getByLabel('Card number').fill('4242');
  await pay.click();
  await expect(page.getByText(/Payment failed/)).toBeVisible();
  expect(paid).toMatchObject({
    advertisement_id: made.advertisement.id,
    payment_token: '{"id":"ctoken_of_the_test"}',
  });
  await context.close();
});
