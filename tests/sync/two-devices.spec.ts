import type { Page } from '@playwright/test';
import {
  createDog,
  deleteDog as deleteDogCall,
  listDogs,
  updateDog,
} from '#shared/dogs/contract.ts';
import { getProfile, saveProfile } from '#shared/profile/contract.ts';
import { expect, test as base, untilStored, type Owner } from '../browser.ts';
import { addDog, deleteDog, dogNames, dogRow, editDog, syncChip, untilSaved } from '../my-dogs.ts';

/** A phone and a tablet of one owner, both open and with everything saved. */
const test = base.extend<{ phone: Owner; tablet: Owner }>({
  phone: async ({ owner }, provide) => {
    const phone = await owner({
      name: 'Robin',
      dogs: ['Rex', 'Luna', 'Toby'].map((name) => ({ name, sound_type: 'leash_off' as const })),
      context: { viewport: { width: 360, height: 740 } },
    });
    await open(phone.page);
    await provide(phone);
  },
  tablet: async ({ device, phone }, provide) => {
    const tablet = await device(phone);
    await open(tablet.page);
    await provide(tablet);
  },
});

async function open(page: Page): Promise<void> {
  await page.goto('/home');
  await expect(dogRow(page, 'Rex')).toBeVisible();
  await untilSaved(page);
}

async function setOffline(devices: Owner[], offline: boolean): Promise<void> {
  for (const { context } of devices) await context.setOffline(offline);
  for (const { page } of devices)
    if (offline) await expect(syncChip(page)).toContainText('Offline');
    else await untilSaved(page);
}

test('edits on two offline devices are merged on both', async ({ phone, tablet }) => {
  const devices = [phone, tablet];
  await setOffline(devices, true);
  await addDog(phone.page, { name: 'Bella', sound_type: 'leash_on' });
  await addDog(tablet.page, { name: 'Max', sound_type: 'leash_off' });
  await editDog(phone.page, 'Rex', { name: 'Rexy' });
  await editDog(tablet.page, 'Rex', { sound_type: 'leash_on' });
  await editDog(phone.page, 'Luna', { name: 'From the phone' });
  await editDog(tablet.page, 'Luna', { name: 'From the tablet' });
  await deleteDog(phone.page, 'Toby');
  await editDog(tablet.page, 'Toby', { name: 'Tobias' });
  await setOffline(devices, false);
  // Either of two edits of a field may win, and a deletion wins over an edit.
  await expect(async () => {
    const [onPhone, onTablet] = [await dogNames(phone.page), await dogNames(tablet.page)];
    expect(onPhone).toEqual(onTablet);
    expect(onPhone.toSorted()).toEqual([
      'Bella',
      expect.stringMatching(/^From the (phone|tablet)$/),
      'Max',
      'Rexy',
    ]);
    const { dogs } = await phone.call(listDogs);
    expect(dogs.map(({ name }) => name)).toEqual(onPhone);
  }).toPass();
  for (const { page } of devices) {
    await expect(dogRow(page, 'Bella')).toContainText('Needs space');
    await expect(dogRow(page, 'Max')).toContainText('Friendly');
    await expect(dogRow(page, 'Rexy')).toContainText('Needs space');
  }
});

test('changes by any HTTP client appear on both devices, and changes by a device on the server', async ({
  phone,
  tablet,
}) => {
  const { dog } = await phone.call(createDog, { body: { name: 'Bella', sound_type: 'leash_off' } });
  for (const { page } of [phone, tablet])
    await expect(dogRow(page, 'Bella')).toContainText('Friendly');
  await phone.call(updateDog, {
    params: { id: dog.id },
    body: { name: 'Bella', sound_type: 'leash_on' },
  });
  await phone.call(saveProfile, {
    body: { display_name: 'Robin B.', is_location_sharing_enabled: false },
  });
  for (const { page } of [phone, tablet]) {
    await expect(dogRow(page, 'Bella')).toContainText('Needs space');
    await expect(page.getByRole('heading', { name: 'Welcome, Robin B.' })).toBeVisible();
  }
  await phone.call(deleteDogCall, { params: { id: dog.id } });
  for (const { page } of [phone, tablet]) await expect(dogRow(page, 'Bella')).toBeHidden();

  await tablet.page.goto('/onboarding');
  await tablet.page.getByLabel('Display name').fill('Robin the Third');
  await tablet.page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(phone.page.getByRole('heading', { name: 'Welcome, Robin the Third' })).toBeVisible();
  await untilSaved(tablet.page);
  expect((await phone.call(getProfile)).display_name).toBe('Robin the Third');
});

test.describe('with the service worker', () => {
  test.use({ serviceWorkers: 'allow' });

  test('two tabs of one offline device show the same data', async ({ phone }) => {
    const other = await phone.context.newPage();
    await open(other);
    await untilStored(phone.page);
    await setOffline([phone], true);
    await addDog(phone.page, { name: 'Bella', sound_type: 'leash_on' });
    await expect(dogRow(other, 'Bella')).toBeVisible();
    await addDog(other, { name: 'Max', sound_type: 'leash_off' });
    await expect(dogRow(phone.page, 'Max')).toBeVisible();
    await phone.page.reload();
    await expect(dogRow(phone.page, 'Max')).toBeVisible();
    await setOffline([phone], false);
    await untilSaved(other);
  });
});
