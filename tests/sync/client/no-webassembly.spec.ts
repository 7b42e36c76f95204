import { listDogs } from '#shared/dogs/contract.ts';
import { getProfile } from '#shared/profile/contract.ts';
import { expect, expectAccessible, position, test } from '../../browser.ts';
import { dogRow, editDog, syncChip } from '../../my-dogs.ts';

const BLOCKED = /^This browser blocks a part .* needs for chats, friends and working offline/;

test('without WebAssembly, as in Lockdown Mode, the setup, walks and warnings work, and the rest says why it doesn’t', async ({
  owner,
}) => {
  const here = { latitude: -61.2 + Math.random(), longitude: 12.5 };
  const ana = await owner({
    name: 'Ana',
    profile: false,
    at: here,
    context: { viewport: { width: 360, height: 740 } },
  });
  const { page, context, call } = ana;
  await context.addInitScript(() => Reflect.deleteProperty(globalThis, 'WebAssembly'));
  await page.goto('/home');
  await page.getByLabel('Display name').fill('Ana');
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByLabel('Dog name').fill('Bella');
  await page.getByRole('radio', { name: /Friendly/ }).check();
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByRole('button', { name: 'Complete Setup' }).click();
  await expect(page.getByRole('heading', { name: 'Welcome, Ana' })).toBeVisible();
  await expect(page.getByText('Only some things work here')).toBeVisible();
  await expect(page.getByText(BLOCKED)).toBeVisible();
  await expect(syncChip(page)).toBeHidden();
  await expect(page.getByRole('button', { name: 'Not syncing' })).toBeVisible();
  await expectAccessible(page);
  await expect.poll(async () => (await call(listDogs)).dogs).toMatchObject([{ name: 'Bella' }]);
  await expect(dogRow(page, 'Bella')).toBeVisible();
  await editDog(page, 'Bella', { name: 'Bella Luna' });
  await expect
    .poll(async () => (await call(listDogs)).dogs)
    .toMatchObject([{ name: 'Bella Luna', sound_type: 'leash_off' }]);

  await page.getByRole('button', { name: 'Start walk' }).click();
  const sharing = page.getByRole('region', { name: 'Location sharing' });
  await expect(sharing).toContainText('Location tracking active');
  await expect.poll(async () => (await call(getProfile)).is_location_sharing_enabled).toBe(true);
  const rex = { name: 'Rex', sound_type: 'leash_on' } as const;
  const sam = await owner({ name: 'Sam', dogs: [rex], sharing: true, at: here });
  await position(sam.context, { ...here, latitude: here.latitude + 24 / 111_320 });
  await sam.page.goto('/home');
  const warning = page.getByRole('region', { name: 'Dog nearby' });
  await expect(warning).toContainText('Rex needs space');
  await warning.getByRole('button', { name: 'Got it' }).click();
  await page.getByRole('button', { name: 'End walk' }).click();
  await expect.poll(async () => (await call(getProfile)).is_location_sharing_enabled).toBe(false);

  await page.goto('/social');
  await expect(page.getByText(BLOCKED)).toBeVisible();
  await expect(page.getByText(/Connect to the internet/)).toHaveCount(0);
});

test('where a part of the app is blocked, it says so instead of “offline”, and documents open once it isn’t', async ({
  owner,
}) => {
  const { page, call } = await owner({
    name: 'Ida',
    dogs: [{ name: 'Rex', sound_type: 'leash_on' }],
  });
  await page.route('**/*.wasm', (route) => route.abort('blockedbyclient'));
  await page.goto('/home');
  await expect(page.getByText(/^A part of .* didn’t load, so chats, friends/)).toBeVisible();
  await expect(page.getByText(/Connect to the internet|You’re offline/)).toHaveCount(0);
  await expect(page.getByRole('button', { name: 'Start walk' })).toBeVisible();
  await editDog(page, 'Rex', { name: 'Rexy' });
  await expect.poll(async () => (await call(listDogs)).dogs).toMatchObject([{ name: 'Rexy' }]);
  await page.unroute('**/*.wasm');
  await expect(syncChip(page)).toHaveText('Saved', { timeout: 90_000 });
  await expect(page.getByText('Only some things work here')).toHaveCount(0);
  await expect(dogRow(page, 'Rexy')).toBeVisible();
});
