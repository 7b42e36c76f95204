import sharp from 'sharp';
import { createHazard, listHazards } from '#shared/hazards/contract.ts';
import type { Place } from '#shared/place.ts';
import { reportLocation } from '#shared/proximity/contract.ts';
import { expect, expectAccessible, test } from '../browser.ts';
import { sendAgain, sendHere } from '../geocoder/send-here.ts';
import { north } from '../locations/made-places.ts';

/** Coordinates that no other test uses. */
const somewhere = (): Place => ({
  latitude: Number((-20 - Math.random() * 30).toFixed(3)),
  longitude: Number((-170 + Math.random() * 340).toFixed(3)),
});

test('reports a hazard, notifies a walker nearby, and is denied by others', async ({
  owner,
  device,
}) => {
  const mark = Math.random().toString(36).slice(2, 8);
  const at = somewhere();
  const kim = await owner({ name: 'Kim', sharing: true, at: north(at, 0.2) });
  await kim.page.goto('/home');
  await kim.call(reportLocation, { body: north(at, 0.2) });

  const { page } = await owner({ name: 'Alex', at });
  await page.goto(`/locations?latitude=${at.latitude}&longitude=${at.longitude}`);
  const section = page.getByRole('region', { name: 'Hazards and lost dogs' });
  await expect(section.getByText('No one has reported a hazard within 5 miles.')).toBeVisible();
  await section.getByRole('button', { name: 'Report a hazard' }).click();
  const form = page.getByRole('dialog', { name: 'Report a Hazard' });
  await form.getByRole('button', { name: 'Report hazard' }).click();
  await expect(form.getByText('Choose what it is.')).toBeVisible();
  await form.getByRole('radio', { name: 'Broken glass' }).check();
  await form.getByLabel('Description').fill(`By the north gate ${mark}`);
  await expectAccessible(page);
  await sendHere(form, 'Report hazard');
  await expect(form).toBeHidden();
  await expect(section.getByRole('heading', { name: 'Broken glass' })).toBeVisible();

  // The walker nearby sees it at once, and opens it from there.
  await expect(kim.page.getByText('Nearby: Broken glass')).toBeVisible();
  await kim.page.getByRole('button', { name: 'Show', exact: true }).click();
  const seen = kim.page.getByRole('region', { name: 'Hazards and lost dogs' });
  await expect(seen.getByText('By the north gate')).toBeVisible();
  // Folded, it is opened again from the map.
  await seen.getByRole('button', { name: /^Hazards and lost dogs/ }).click();
  await expect(seen.getByText('By the north gate')).toBeHidden();
  await kim.page
    .getByRole('region', { name: 'Map' })
    .getByRole('button', { name: 'Broken glass' })
    .click();
  await expect(seen.getByText('By the north gate')).toBeVisible();
  // Only votes of people nearby count.
  await kim.call(reportLocation, { body: north(at, 0.1) });
  await seen.getByRole('button', { name: 'Not there: Broken glass' }).click();
  await expect(seen.getByText('denied by 1')).toBeVisible();
  await expectAccessible(kim.page);

  // An admin removes it from everyone's list.
  const panel = (await device({ email: 'admin@example.com' })).page;
  await panel.goto(`/admin?tab=hazards&search=${mark}`);
  await expect(panel.getByText('1 shown')).toBeVisible();
  await expectAccessible(panel);
  await panel.getByRole('button', { name: /^Remove Broken glass: By the north gate/ }).click();
  await expect(panel.getByText('is removed', { exact: false })).toBeVisible();
  await expect(panel.getByRole('button', { name: /^Restore Broken glass/ })).toBeVisible();
  await kim.page.reload();
  await expect(seen.getByText('No one has reported a hazard within 5 miles.')).toBeVisible();
});

test('an admin sees the name, contact and photo of a lost dog', async ({ owner, device }) => {
  const dog_name = `Pepper ${Math.random().toString(36).slice(2, 8)}`;
  const contact = '+1 541 555 0100';
  const { call, context } = await owner({ name: 'Alex' });
  const { hazard } = await call(createHazard, {
    body: { kind: 'lost_dog', description: 'Black', dog_name, contact, ...somewhere() },
  });
  const photo = { width: 40, height: 40, channels: 3 as const, background: '#a06030' };
  const buffer = await sharp({ create: photo }).png().toBuffer();
  const answer = await context.request.post(`/api/hazards/${hazard.id}/photo`, {
    multipart: { image: { name: 'photo.png', mimeType: 'image/png', buffer } },
  });
  expect(answer.status()).toBe(200);

  const { page } = await device({ email: 'admin@example.com' });
  await page.setViewportSize({ width: 360, height: 740 });
  await page.goto(`/admin?tab=hazards&search=${dog_name.split(' ')[1]}`);
  await expect(page.getByText(`Lost dog: ${dog_name}`, { exact: true })).toBeVisible();
  await page.getByRole('button', { name: `More about Lost dog: ${dog_name}` }).click();
  await expect(page.getByText(`Contact: ${contact}`, { exact: true })).toBeVisible();
  const link = page.getByRole('link', { name: `Photo of Lost dog: ${dog_name}: Black` });
  await link.scrollIntoViewIfNeeded();
  await expect
    .poll(() => link.locator('img').evaluate((image: HTMLImageElement) => image.naturalWidth))
    .toBe(40);
  await expectAccessible(page);
});

test('stores a hazard offline with the position where it was seen', async ({ owner }) => {
  const at = somewhere();
  const { page, context, call } = await owner({ name: 'Alex', at });
  await page.goto(`/locations?latitude=${at.latitude}&longitude=${at.longitude}`);
  const section = page.getByRole('region', { name: 'Hazards and lost dogs' });
  await section.getByRole('button', { name: 'Report a hazard' }).click();
  const form = page.getByRole('dialog', { name: /^Report a (Hazard|Lost Dog)$/ });
  await expect(form.getByRole('group', { name: 'What is it?' })).toBeVisible();
  await context.setOffline(true);
  await form.getByRole('radio', { name: 'Lost dog' }).check();
  await expect(form).toHaveAccessibleName('Report a Lost Dog');
  await form.getByRole('button', { name: 'Report lost dog' }).click();
  // This device hasn't stored the map. The form stays without it.
  await expect(form.getByText('This part of the app didn’t load')).toBeVisible();
  await expectAccessible(page);
  await sendAgain(form, 'Report lost dog');
  await expect(section.getByText('Not sent yet')).toBeVisible();
  await context.setGeolocation({ ...north(at, 3), accuracy: 5 });
  await context.setOffline(false);
  await expect(section.getByText('Not sent yet')).toBeHidden();
  const { hazards } = await call(listHazards, {
    query: { latitude: String(at.latitude), longitude: String(at.longitude) },
  });
  expect(hazards).toHaveLength(1);
  expect(hazards[0]?.latitude).toBeCloseTo(at.latitude, 4);
});

test('a walker reports a hazard where they are, which they see before it is sent', async ({
  owner,
}) => {
  const at = somewhere();
  const { page, call } = await owner({
    name: 'Alex',
    sharing: true,
    at,
    context: { viewport: { width: 360, height: 740 } },
  });
  await page.goto('/home');
  const link = page.getByRole('link', { name: /^Hazard/ });
  await expect(link).toBeInViewport();
  await link.click();
  const form = page.getByRole('dialog', { name: 'Report a Hazard' });
  await form.getByRole('radio', { name: 'Poison bait' }).check();
  await expect(form.getByText('Where you are now')).toBeVisible();
  await expectAccessible(page);
  await form.getByRole('button', { name: 'Report hazard' }).click();
  await expect(form).toBeHidden();
  await expect(page).toHaveURL('/home');
  const query = { latitude: String(at.latitude), longitude: String(at.longitude) };
  await expect
    .poll(async () => (await call(listHazards, { query })).hazards.map(({ kind }) => kind))
    .toEqual(['poison']);
});
