import { getLocation } from '#shared/locations/contract.ts';
import { expect, expectAccessible, test } from '../browser.ts';
import { makePlace } from '../locations/made-places.ts';

/** Cairo, Illinois: a town of the list that other tests don't use. */
const CAIRO = { latitude: 37.0053, longitude: -89.1765 };

test('finds places around a town by its name, without a permission to locate', async ({
  owner,
}) => {
  const kim = await owner({ name: 'Kim', profile: false });
  const unique = `Levee ${Date.now().toString(36)}`;
  const place = await makePlace(kim, { ...CAIRO, name: unique, confirm_new: true });

  const { page } = await owner({ name: 'Alex' });
  await page.goto('/locations');
  const finder = page.getByRole('search', { name: 'Find a place' });
  await finder.getByLabel('Place or address').fill('x');
  await page.keyboard.press('Enter');
  await expect(finder.getByText('Enter at least two characters')).toBeVisible();
  await finder.getByLabel('Place or address').fill('Xyzzyville');
  await page.keyboard.press('Enter');
  await expect(finder.getByText('Nothing was found.')).toBeVisible();

  await finder.getByLabel('Place or address').fill('Cairo, IL');
  const search = page.getByRole('search', { name: 'Places to walk' });
  await search.getByRole('button', { name: 'Search' }).click();
  await expect(finder.getByRole('status')).toHaveText('1 result');
  await expect(finder.getByRole('link', { name: 'GeoNames' })).toBeVisible();
  await expectAccessible(page);
  await finder.getByRole('button', { name: /^Cairo Illinois, United States/ }).click();
  await expect(page).toHaveURL(/latitude=37\.005&longitude=-89\.17/);
  await expect(page.getByRole('heading', { name: unique })).toBeVisible();
  await expect(page.getByText(/within 10 miles, around Cairo/)).toBeVisible();

  // One of our own places is opened by its name.
  await finder.getByLabel('Place or address').fill(unique);
  await page.keyboard.press('Enter');
  await finder.getByRole('button', { name: unique }).click();
  await expect(page).toHaveURL(new RegExp(`place=${place.id}`));
  await expectAccessible(page);
});

test('shows the first place without scrolling on a phone, with the search by radius folded above it', async ({
  owner,
}) => {
  const kim = await owner({ name: 'Kim', profile: false });
  const at = { latitude: -60 - Math.random() * 10, longitude: Math.random() * 100 };
  const { name } = await makePlace(kim, { ...at, name: `Moss ${Date.now().toString(36)}` });

  const { page } = await owner({ context: { viewport: { width: 360, height: 740 } } });
  await page.goto(`/locations?latitude=${at.latitude}&longitude=${at.longitude}&map=hidden`);
  const tips = page.getByRole('button', { name: `Add Tip for ${name}` });
  await expect(tips).toBeVisible();
  const navigation = (await page.getByRole('navigation').boundingBox())!;
  const { y, height } = (await tips.boundingBox())!;
  expect(y + height).toBeLessThan(navigation.y);
  const finder = page.getByRole('search', { name: 'Find a place' });
  // The search by name stays in sight, and suggests while one types.
  await finder.getByLabel('Place or address').fill(name.slice(0, 9));
  await expect(finder.getByRole('list', { name: 'Suggestions' })).toContainText(name);
  await expectAccessible(page);

  const bar = page.getByRole('button', { name: 'Within 10 miles · All Types' });
  await bar.focus();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('search', { name: 'Places to walk' })).toBeVisible();
  await expectAccessible(page);
  await finder.getByLabel('Place or address').fill(name);
  await page.keyboard.press('Enter');
  await finder.getByRole('button', { name }).click();
  await expect(page.getByRole('article').getByRole('heading', { name })).toBeFocused();
});

test('places a location by a pin that is dragged or moved with the arrow keys', async ({
  owner,
}) => {
  const alex = await owner({ name: 'Alex' });
  const { page } = alex;
  await page.goto('/locations');
  await page.getByRole('button', { name: 'Add Location' }).first().click();
  const form = page.getByRole('dialog', { name: 'Add Location' });
  const name = `Pin ${Date.now().toString(36)}`;
  await form.getByLabel('Name').fill(name);
  const finder = form.getByRole('search', { name: 'Find a place' });
  await finder.getByLabel('Place or address').fill('Cairo, Illinois');
  // Enter searches; it doesn't send the form.
  await page.keyboard.press('Enter');
  await finder.getByRole('button', { name: /^Cairo Illinois/ }).click();
  const status = form.getByRole('region', { name: 'Map' }).getByRole('status');
  await expect(status).toContainText('Pin at 37.005');

  const pin = form.getByRole('button', { name: 'Pin: Where is it?' });
  const latitude = form.getByLabel('Latitude');
  // Waits until the map has stopped moving on the page.
  await pin.hover();
  const box = (await pin.boundingBox())!;
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
  await page.mouse.move(x, y);
  await page.mouse.down();
  await page.mouse.move(x + 30, y - 40, { steps: 5 });
  await page.mouse.up();
  await expect(status).not.toContainText('Pin at 37.00530');
  const dragged = Number(await latitude.inputValue());
  expect(dragged).toBeGreaterThan(CAIRO.latitude);

  await pin.focus();
  await page.keyboard.press('ArrowDown');
  await expect.poll(async () => Number(await latitude.inputValue())).toBeLessThan(dragged);
  const moved = Number(await latitude.inputValue());
  await expectAccessible(page);

  // The fields stay available, and refuse what is out of range.
  await form.getByText('Enter coordinates').click();
  await latitude.fill('91');
  await form.getByRole('button', { name: 'Add Location' }).click();
  await expect(latitude).toBeFocused();
  await expect(latitude).toHaveAttribute('aria-invalid', 'true');
  await latitude.fill(String(moved));

  const created = page.waitForResponse(
    (response) =>
      response.url().endsWith('/api/locations') && response.request().method() === 'POST',
  );
  await form.getByRole('button', { name: 'Add Location' }).click();
  const { location } = (await (await created).json()) as { location: { id: string } };
  const saved = await alex.call(getLocation, { params: { id: location.id } });
  expect(saved.location.latitude).toBeCloseTo(moved, 5);
});
