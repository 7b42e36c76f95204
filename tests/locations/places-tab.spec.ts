import { createLocation, createTip, reportProblem } from '#shared/locations/contract.ts';
import { expect, expectAccessible, loginUrl, test } from '../browser.ts';
import { makePlace, north } from './made-places.ts';

test('an admin hides a tip, merges a place, undoes hiding another, and edits it', async ({
  owner,
  browser,
  origin,
}) => {
  const kim = await owner({ name: 'Kim', profile: false });
  const sam = await owner({ name: 'Sam', profile: false });
  const at = { latitude: -50 + Math.random() * 10, longitude: Math.random() * 100 };
  const mark = `Zebra${Math.random().toString(36).slice(2, 8)}`;
  const wrong = await makePlace(kim, { name: `${mark} Field`, ...at });
  const twin = { name: `${mark} Twin`, ...north(at, 0.2), confirm_new: true };
  await kim.call(createLocation, { body: twin });
  const about = { location_id: wrong.id };
  const { tip } = await kim.call(createTip, {
    body: { ...about, title: 'Buy my leashes', content: 'Cheap.' },
  });
  const description = 'There is a car park now.';
  await sam.call(reportProblem, { body: { ...about, report_type: 'wrong_place', description } });
  await sam.call(reportProblem, { body: { ...about, tip_id: tip.id, report_type: 'spam' } });

  const context = await browser.newContext({ baseURL: origin });
  const page = await context.newPage();
  await page.goto(await loginUrl(context, origin, 'admin@example.com'));
  await expect(page).toHaveURL(/\/(home|admin)$/);
  await page.goto(`/admin?tab=places&status=reported&search=${mark}`);
  await expect(page.getByText('1 shown')).toBeVisible();
  await expectAccessible(page);
  await page.getByRole('button', { name: `Review ${mark} Field` }).click();
  const review = page.getByRole('dialog', { name: 'Review place' });
  await expect(review).toContainText('It doesn’t exist');
  await expect(review).toContainText(description);
  await expect(review).toContainText('It’s advertising');
  await expectAccessible(page);
  await review.getByRole('button', { name: 'Edit Buy my leashes' }).click();
  await review.getByLabel('Title').fill('Leashes');
  await expectAccessible(page);
  await review.getByRole('button', { name: 'Save' }).click();
  await review.getByRole('button', { name: 'Hide Leashes' }).click();
  await expect(review.getByRole('button', { name: 'Show Leashes again' })).toBeVisible();
  await review.getByRole('button', { name: `Merge into ${mark} Twin` }).click();
  await page.getByRole('button', { name: 'Merge', exact: true }).click();
  await expect(page.getByText('No places match your filters')).toBeVisible();
  // For screen readers only.
  await expect(page.getByText('0 shown')).toHaveCSS('width', '1px');

  await page.goto(`/admin?tab=places&search=${mark}`);
  await expect(page.getByText('2 shown')).toBeVisible();
  // A double click hides it once, without a conflict error.
  const sent: string[] = [];
  page.on('request', (request) => request.method() === 'PUT' && sent.push(request.url()));
  await page.getByRole('button', { name: `Hide ${mark} Twin` }).dblclick();
  await expect(page.getByText(`${mark} Twin is hidden`)).toBeVisible();
  await expect(page.getByRole('button', { name: `Show ${mark} Twin again` })).toBeVisible();
  expect(sent).toHaveLength(1);
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(page.getByText(`${mark} Twin is shown again`)).toBeVisible();
  await page.setViewportSize({ width: 360, height: 740 });
  const places = page.getByRole('list', { name: 'Places' });
  await expect(places.getByText('Merged')).toBeVisible();

  await places.getByRole('button', { name: `More about ${mark} Twin` }).click();
  await page.getByRole('button', { name: `Review ${mark} Twin` }).click();
  await review.getByRole('button', { name: 'Edit place' }).click();
  const editing = page.getByRole('dialog', { name: 'Edit place' });
  await editing.getByLabel('Name').fill(`${mark} Forest`);
  await editing.getByLabel('Location type').selectOption('forest');
  await editing.getByLabel('Leash Required').check();
  await expectAccessible(page);
  await editing.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText(`${mark} Forest saved`)).toBeVisible();
  await expect(places.getByRole('button', { name: `Review ${mark} Forest` })).toBeVisible();
  await context.close();
});
