import type { Page } from '@playwright/test';
import {
  createDog,
  deleteDog as deleteDogCall,
  listDogs,
  updateDog,
} from '#shared/dogs/contract.ts';
import { getProfile, saveProfile } from '#shared/profile/contract.ts';
import { expect, test as base, untilKept, type Owner } from '../browser.ts';
import { addDog, deleteDog, dogNames, dogRow, editDog, syncChip, untilSaved } from '../my-dogs.ts';

/** A phone and a tablet of one owner, both open and with everything saved. */
const test = base.extend<{ phone: Owner; tablet: Owner }>({
  phone: async ({ owner }, provide) => {
    const phone = await owner({
      name: 'Robin',
      dogs: [{ name: 'Rex', sound_type: 'leash_off' }],
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

test('what two devices add while both are offline is on both when they meet', async ({
  phone,
  tablet,
}) => {
  const devices = [phone, tablet];
  await setOffline(devices, true);
  await addDog(phone.page, { name: 'Bella', sound_type: 'leash_on' });
  await addDog(tablet.page, { name: 'Luna', sound_type: 'leash_off' });
  await setOffline(devices, false);
  for (const { page } of devices) {
    await expect(dogRow(page, 'Bella')).toContainText('Needs space');
    await expect(dogRow(page, 'Luna')).toContainText('Friendly');
  }
  expect(await dogNames(phone.page)).toEqual(await dogNames(tablet.page));
  const { dogs } = await phone.call(listDogs);
  expect(dogs.map(({ name }) => name)).toEqual(await dogNames(phone.page));
});

test('edits of different fields of the same dog both stand', async ({ phone, tablet }) => {
  const devices = [phone, tablet];
  await setOffline(devices, true);
  await editDog(phone.page, 'Rex', { name: 'Rexy' });
  await editDog(tablet.page, 'Rex', { sound_type: 'leash_on' });
  await setOffline(devices, false);
  for (const { page } of devices) await expect(dogRow(page, 'Rexy')).toContainText('Needs space');
});

test('edits of the same field come out as one of the two, the same on both', async ({
  phone,
  tablet,
}) => {
  const devices = [phone, tablet];
  await setOffline(devices, true);
  await editDog(phone.page, 'Rex', { name: 'From the phone' });
  await editDog(tablet.page, 'Rex', { name: 'From the tablet' });
  await setOffline(devices, false);
  await expect(async () => {
    const [onPhone, onTablet] = [await dogNames(phone.page), await dogNames(tablet.page)];
    expect(onPhone).toEqual(onTablet);
    expect(['From the phone', 'From the tablet']).toContain(onPhone[0]);
    expect(onPhone).toHaveLength(1);
    const { dogs } = await phone.call(listDogs);
    expect(dogs.map(({ name }) => name)).toEqual(onPhone);
  }).toPass();
});

test('a dog that one device deletes stays deleted although the other edited it', async ({
  phone,
  tablet,
}) => {
  const devices = [phone, tablet];
  await addDog(phone.page, { name: 'Bella', sound_type: 'leash_on' });
  await expect(dogRow(tablet.page, 'Bella')).toBeVisible();
  await setOffline(devices, true);
  await deleteDog(phone.page, 'Rex');
  await editDog(tablet.page, 'Rex', { name: 'Rexy' });
  await setOffline(devices, false);
  for (const { page } of devices) await expect.poll(() => dogNames(page)).toEqual(['Bella']);
  expect((await phone.call(listDogs)).dogs.map(({ name }) => name)).toEqual(['Bella']);
});

test('what any HTTP client changes shows on both devices, and the other way round', async ({
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
  for (let step = 0; step < 2; step += 1)
    await tablet.page.getByRole('button', { name: 'Continue' }).click();
  await tablet.page.getByRole('button', { name: 'Complete Setup' }).click();
  await expect(phone.page.getByRole('heading', { name: 'Welcome, Robin the Third' })).toBeVisible();
  await untilSaved(tablet.page);
  expect((await phone.call(getProfile)).display_name).toBe('Robin the Third');
});

test.describe('where the app is kept', () => {
  test.use({ serviceWorkers: 'allow' });

  test('two tabs of one device agree without a network', async ({ phone }) => {
    const other = await phone.context.newPage();
    await open(other);
    await untilKept(phone.page);
    await setOffline([phone], true);
    await addDog(phone.page, { name: 'Bella', sound_type: 'leash_on' });
    await expect(dogRow(other, 'Bella')).toBeVisible();
    await addDog(other, { name: 'Luna', sound_type: 'leash_off' });
    await expect(dogRow(phone.page, 'Luna')).toBeVisible();
    await phone.page.reload();
    await expect(dogRow(phone.page, 'Luna')).toBeVisible();
    await setOffline([phone], false);
    await untilSaved(other);
  });
});
