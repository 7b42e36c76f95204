import { createDog } from '#shared/dogs/contract.ts';
import { getUserFriendlyIndex } from '#shared/friendly-index/contract.ts';
import { pathOf } from '../../client/platform/http/api-client.ts';
import { expect, expectAccessible, test } from '../browser.ts';
import { deleteDog } from '../my-dogs.ts';

const PHONE = { viewport: { width: 360, height: 740 } };

test('an owner sees the scores of themselves and each dog with reasons, even offline', async ({
  owner,
}) => {
  const { page, user, call } = await owner({
    name: 'Robin',
    dogs: [{ name: 'Rex', sound_type: 'leash_on' }],
    context: PHONE,
  });
  await page.goto('/home');
  const card = page.getByRole('region', { name: 'Owner Friendly Index' });
  await expect(card).toContainText('New Dog Parent');
  // One scale until the first star is earned, explained in one line.
  await expect(card).toContainText('It grows with walks, friends and time.');
  await expect(card).not.toContainText('of 100');
  await expect(card).not.toContainText('Bronze');
  await expect(page.getByRole('progressbar')).toHaveCount(0);
  // On Home, a newcomer isn't scored.
  await expect(card).not.toContainText('of 25');
  await page.goto('/you');
  // The bar and the number above it are of the same step.
  await expect(card).toContainText('10 of 25 to Silver');
  // Nobody starts with five empty stars.
  await expect(card.getByRole('img')).toHaveCount(0);
  const progress = card.getByRole('progressbar', { name: 'Progress to Silver' });
  await expect(progress).toHaveAttribute('aria-valuenow', '40');
  await expect(progress).toHaveAttribute('aria-valuetext', '40 percent, 10 of 25 to Silver');

  await card.getByRole('link', { name: 'Why this score' }).click();
  const own = page.getByRole('dialog', { name: 'Why you have this score' });
  await expect(own).toContainText('0 of 50 points');
  await expect(own).toContainText('0 of 30 points');
  await expect(own).toContainText('10 of 20 points');
  await expect(own).toContainText('Every new person adds up to 2 points');
  await expect(own).toContainText('0 reports confirmed.');
  // Their number would tell who was blocked a moment ago.
  await expect(own).not.toContainText(/blocked by \d/);
  await expect(own).toContainText('1 (1 needs space)');
  await expectAccessible(page);
  await own.getByRole('link', { name: 'Rex' }).click();
  const rex = page.getByRole('dialog', { name: 'Why Rex has this score' });
  await expect(rex).toContainText('New Park Visitor');
  await expect(rex).toContainText('OwnerRobin');
  await page.goBack();
  await expect(own).toBeVisible();
  await page.goBack();
  await expect(own).toBeHidden();

  const dogs = page.getByRole('region', { name: 'My Dogs' });
  await page.goto('/dogs');
  await dogs.getByRole('link', { name: /^Friendly index.*see why Rex has this tier/ }).click();
  await expect(rex).toContainText('Visitors');
  await page.keyboard.press('Escape');
  await expect(rex).toBeHidden();
  await expectAccessible(page);

  // A dog added on another device shows as soon as the server has it.
  await call(createDog, { body: { name: 'Luna', sound_type: 'leash_off' } });
  await expect(dogs.getByRole('link', { name: /see why Luna has this tier/ })).toBeVisible({
    timeout: 30_000,
  });

  await page.route(`**${pathOf(getUserFriendlyIndex, { id: user.id })}`, (route) => route.abort());
  await page.evaluate((key) => {
    const [at, index] = JSON.parse(localStorage.getItem(key) ?? '[]') as [number, unknown];
    localStorage.setItem(key, JSON.stringify([at - 3 * 60 * 60_000, index]));
  }, `cache-${user.id}-friendly-index`);
  await page.goto('/home');
  await expect(card).toContainText('New Dog Parent');
  await expect(card).toContainText('Last updated 3 hours ago', { timeout: 20_000 });
  // That index still has a dog that is deleted now.
  await deleteDog(page, 'Luna');
  await card.getByRole('link', { name: 'Why this score' }).click();
  await expect(own.getByRole('link', { name: 'Rex' })).toBeVisible();
  await expect(own).not.toContainText('Luna');
});

test('shows and logs an index that fails to load, and hides private counts of other owners', async ({
  owner,
}) => {
  const { page, user } = await owner();
  const logged: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error') logged.push(message.text());
  });
  const path = `**${pathOf(getUserFriendlyIndex, { id: user.id })}`;
  let isDelayed = true;
  const isPressed = () => page.evaluate(() => 'isPressed' in window);
  await page.route(path, async (route) => {
    if (isDelayed) return;
    await ((await isPressed()) ? route.continue() : route.fulfill({ status: 400 }));
  });
  await page.goto('/home');
  const card = page.getByRole('region', { name: 'Owner Friendly Index' });
  await expect(card.getByRole('status', { name: 'Loading friendly index…' })).toBeVisible();
  isDelayed = false;
  await page.reload();
  await expect(card).toContainText('Friendly index unavailable');
  expect(logged.join()).toContain('Failed to load friendly index');
  await expectAccessible(page);
  // The request succeeds only after the click, because the card retries by itself and would hide the button.
  await page.evaluate(() => {
    addEventListener('click', () => Object.assign(window, { isPressed: true }), true);
  });
  await card.getByRole('button', { name: 'Try again' }).click();
  await expect(card).toContainText('It grows with walks');

  const sam = await owner({ name: 'Sam', dogs: [{ name: 'Luna', sound_type: 'leash_off' }] });
  const ofSam = `**${pathOf(getUserFriendlyIndex, { id: sam.user.id })}`;
  const asked = page.waitForResponse(ofSam);
  await page.goto(`/home?open=profile&user=${sam.user.id}`);
  const profile = page.getByRole('dialog', { name: 'User Profile' });
  const index = profile.getByRole('region', { name: 'Owner friendly index' });
  const dogs = profile.getByRole('region', { name: 'Dogs' });
  // Nobody looks bad for being new.
  await (await asked).finished();
  await expect(dogs).toContainText('Luna');
  await expect(index).toHaveCount(0);
  await expect(dogs).not.toContainText('Bronze');

  await page.route(ofSam, async (route) => {
    const text = await (await route.fetch()).text();
    await route.fulfill({
      contentType: 'application/json',
      body: text.replaceAll(/"overall_score":\d+/g, '"overall_score":30'),
    });
  });
  await page.reload();
  await expect(index).toContainText('Good Dog Parent');
  await expect(index).not.toContainText('points to');
  await expect(dogs).toContainText('Well-Behaved Companion');
  await index.getByText('How it’s calculated').click();
  await expect(index).toContainText('Time without complaints.');
  await expect(index).not.toContainText('blocked by');
  await expectAccessible(page);
});
