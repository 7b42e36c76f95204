import { expect, test } from '../browser.ts';

const phone = { viewport: { width: 360, height: 740 } };

test('a dialog keeps typed text on an outside click and closes to the previous scroll position', async ({
  owner,
}) => {
  const { page } = await owner({ context: phone });
  await page.goto('/home');
  await expect(page.getByRole('heading', { name: 'Welcome, Sam' })).toBeVisible();
  await page.goto('/home#my-dogs');
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
