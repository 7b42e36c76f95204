import type { Page } from '@playwright/test';
import { createFriendRequest, listFriendRequests } from '#shared/friends/contract.ts';
import { expect, test } from '../browser.ts';
import { pressWhenCome, takeIn } from './tap-helpers.ts';

/** Presses twice where once is enough, at the same place. */
async function pressTwice(page: Page, name: string | RegExp): Promise<void> {
  const { x, y, width, height } = (await page.getByRole('button', { name }).first().boundingBox())!;
  await page.mouse.move(x + width / 2, y + height / 2);
  for (const wait of [120, 0]) {
    await page.mouse.down();
    await page.mouse.up();
    await page.waitForTimeout(wait);
  }
}

const phone = { viewport: { width: 360, height: 740 } };

test('the second press of two meets nothing of what was behind a dialog', async ({ owner }) => {
  const { page } = await owner({ context: phone });
  await page.goto('/home');
  await page.getByRole('link', { name: 'My Profile' }).click();
  const profile = page.getByRole('dialog');
  await expect(profile.getByRole('heading', { name: 'Sam' })).toBeVisible();
  // Behind it is Logout.
  await pressTwice(page, 'Close');
  await expect(profile).toBeHidden();
  await page.waitForTimeout(500);
  await expect(page.getByRole('heading', { name: 'Welcome, Sam' })).toBeVisible();
  // Who takes their time presses what they see.
  await page.getByRole('button', { name: 'Logout' }).click();
  await expect(page).toHaveURL('/welcome');
});

test('the second press of two does nothing to the next row', async ({ owner }) => {
  const { page, user, call } = await owner({ context: phone });
  for (const name of ['Ann', 'Bob', 'Kim']) {
    const person = await owner({ name });
    await person.call(createFriendRequest, { body: { receiver_user_id: user.id } });
  }
  await page.goto('/social?tab=requests');
  await expect(page.getByRole('button', { name: /Deny/ })).toHaveCount(3);
  await pressTwice(page, /Deny/);
  await expect(page.getByRole('button', { name: /Deny/ })).toHaveCount(2);
  await expect
    .poll(
      async () =>
        (await call(listFriendRequests)).received.filter((each) => each.status === 'pending')
          .length,
    )
    .toBe(2);
});

test('what was typed into a dialog outlives a press beside it, and a dialog leads back to where one was', async ({
  owner,
}) => {
  const { page } = await owner({ context: phone });
  await page.goto('/home');
  await expect(page.getByRole('heading', { name: 'Welcome, Sam' })).toBeVisible();
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Dogs' }).click();
  await expect(page).toHaveURL('/home#my-dogs');
  const scrolled = () => page.evaluate(() => window.scrollY);
  let before = 0;
  const hasArrived = async () => {
    const last = before;
    before = await scrolled();
    return before > 300 && before === last;
  };
  await expect.poll(hasArrived, { intervals: [250] }).toBe(true);
  await page.getByRole('button', { name: 'Edit Bella' }).click();
  const form = page.getByRole('dialog', { name: 'Edit Bella' });
  await form.getByLabel('Name').fill('Bella the Second');
  await page.mouse.click(180, 10);
  await expect(form.getByLabel('Name')).toHaveValue('Bella the Second');
  await form.getByRole('button', { name: 'Close' }).click();
  await expect(form).toBeHidden();
  await expect(page).toHaveURL('/home#my-dogs');
  expect(Math.abs((await scrolled()) - before)).toBeLessThan(5);
});

test('a press meets no row that has only just come to lie under the finger', async ({ owner }) => {
  const { page, user, call } = await owner({ context: phone });
  const ask = async (name: string) => {
    const person = await owner({ name });
    await person.call(createFriendRequest, { body: { receiver_user_id: user.id } });
  };
  await ask('Ann');
  await page.goto('/social?tab=requests');
  const deny = page.getByRole('button', { name: /Deny/ });
  await expect(deny).toHaveCount(1);
  const waiting = async () =>
    (await call(listFriendRequests)).received.filter((each) => each.status === 'pending').length;
  // The new one is above: the other moves to where nobody looked for it.
  const pressed = pressWhenCome(page, 'li button', 'li:nth-child(2) button');
  await ask('Bob');
  await pressed;
  await expect(deny).toHaveCount(2);
  await takeIn(page);
  expect(await waiting()).toBe(2);
  await deny.last().click();
  await expect.poll(waiting).toBe(1);
});
