import { fileURLToPath } from 'node:url';
import { listDogs } from '#shared/dogs/contract.ts';
import { getFullProfile, getProfile, saveProfile } from '#shared/profile/contract.ts';
import { expect, expectAccessible, position, test } from '../browser.ts';
import { record, spokenBy } from '../proximity/recording.ts';

const PHOTO = fileURLToPath(new URL('../../client/public/icons/icon-192.png', import.meta.url));
const HERE = { latitude: 12.345, longitude: 6.789 };

test('three steps set up the profile and lead to the dashboard', async ({ owner }) => {
  const { page, context, user, call } = await owner({ name: 'Charlie', profile: false });
  await position(context, HERE);
  const spoken: string[] = [];
  await page.exposeFunction('heard', (words: string) => void spoken.push(words));
  await page.addInitScript(() => {
    speechSynthesis.speak = (utterance) => {
      if (utterance.text)
        (window as unknown as { heard(words: string): void }).heard(utterance.text);
    };
  });
  await page.goto('/home');
  await expect(page).toHaveURL('/onboarding');
  await expect(page).toHaveTitle('Set up · Leashwise');
  await expect(page.getByRole('navigation', { name: 'Main' })).toBeHidden();

  const next = page.getByRole('button', { name: 'Continue' });
  const current = page.getByRole('list', { name: 'Progress' }).locator('[aria-current=step]');
  const name = page.getByLabel('Display name');
  await expect(current).toHaveText(/You$/);
  await expect(name).toHaveValue(user.given_name);
  await expectAccessible(page);
  await name.fill('   ');
  await expect(next).toBeDisabled();
  await name.fill('Charlie B.');
  await next.click();

  await expect(current).toHaveText(/Your dog$/);
  await expect(page.getByRole('heading', { name: 'Who walks with you?' })).toBeFocused();
  await expect(page.getByRole('listitem').filter({ hasText: 'You, done' })).toBeVisible();
  const dog = page.getByLabel('Dog name');
  await expect(next).toBeDisabled();
  await page.getByRole('radio', { name: 'Needs space' }).check();
  await expect.poll(() => spoken.join(' ')).toMatch(/deep.*assertive.*bark/i);
  await expect(next).toBeDisabled();
  await dog.fill('D'.repeat(60));
  await expect(dog).toHaveValue('D'.repeat(50));
  await dog.fill('Duke');
  await page.getByText('Blind, deaf, in heat, in training?').click();
  await page.getByLabel('In training').check();
  await expectAccessible(page);
  await next.click();

  await expect(current).toHaveText(/Location$/);
  await page.getByRole('button', { name: 'Back' }).click();
  await expect(dog).toHaveValue('Duke');
  await expect(page.getByRole('radio', { name: 'Needs space' })).toBeChecked();
  await next.click();
  await expectAccessible(page);
  const reported = page.waitForResponse(
    (response) => response.url().endsWith('/api/location') && response.ok(),
  );
  const forgotten = page.waitForRequest(
    (request) => request.url().includes('/api/location') && request.method() === 'DELETE',
  );
  // Who allows the location is asked nothing more.
  await page.getByRole('button', { name: 'Enable Location' }).click();

  await expect(page).toHaveURL('/home');
  await expect(page.getByRole('heading', { name: 'Welcome, Charlie B.' })).toBeVisible();
  // The first location is one report, too rough for warnings. A walk starts when its owner starts it.
  expect((await reported).request().postDataJSON()).toMatchObject({
    latitude: 12.35,
    longitude: 6.79,
    accuracy: 1000,
  });
  expect(await (await reported).json()).toMatchObject({ nearbyUsers: [], is_too_rough: true });
  await forgotten;
  await expect(page.getByRole('button', { name: 'Start walk' })).toBeVisible();
  await expect(page.getByText('Location tracking active')).toBeHidden();
  await expect
    .poll(() =>
      call(getProfile).then(
        (profile) => profile.display_name,
        () => null,
      ),
    )
    .toBe('Charlie B.');
  const { dogs } = await call(listDogs);
  expect(dogs).toMatchObject([{ name: 'Duke', sound_type: 'leash_on', notes: ['in_training'] }]);
});

test('the setup ends with both warnings on this device, and with help for someone who hears nothing', async ({
  owner,
}) => {
  const { page, context } = await owner({
    profile: false,
    context: { viewport: { width: 360, height: 740 } },
  });
  await record(context);
  await page.goto('/onboarding');
  const next = page.getByRole('button', { name: 'Continue' });
  await next.click();
  await page.getByLabel('Dog name').fill('Duke');
  await page.getByRole('radio', { name: 'Needs space' }).check();
  await next.click();
  await page.getByRole('button', { name: 'Complete Setup' }).click();
  const play = page.getByRole('button', { name: 'Play both warnings' });
  await expect(play).toBeInViewport();
  await expectAccessible(page);
  await play.click();
  const heard = page.getByRole('button', { name: 'I heard it' });
  await expect(heard).toBeVisible();
  await expect
    .poll(() => spokenBy(page))
    .toEqual([
      expect.stringContaining('deep, assertive bark'),
      'Rex needs space. Test walker is 50 feet away. Leash your dog and give Rex room.',
      expect.stringContaining('Bella is friendly'),
    ]);
  await page.getByRole('button', { name: 'I didn’t' }).click();
  await expect(page.getByText('check that this tab isn’t muted')).toBeVisible();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Play again' }).click();
  await heard.click();
  await expect(page.getByText('You’re set')).toBeVisible();
  await page.reload();
  await expect(page.getByRole('button', { name: 'Start walk' })).toBeVisible();
  await expect(play).toBeHidden();
});

test('setup works on a small phone without a location, shows each primary button without scrolling, fits with doubled text, and never shows the navigation', async ({
  owner,
}) => {
  const { page, context } = await owner({
    profile: false,
    context: { viewport: { width: 360, height: 740 } },
  });
  await page.addInitScript(() => {
    const seen: string[] = [];
    Object.assign(window, { seen });
    new MutationObserver(() => {
      if (document.querySelector('nav[aria-label=Main]')) seen.push('navigation');
    }).observe(document, { childList: true, subtree: true });
  });
  // The font size of the browser's settings, which widths in rem follow.
  const browser = await context.newCDPSession(page);
  const expectToFit = async () => {
    await browser.send('Page.setFontSizes', { fontSizes: { standard: 32 } });
    const wide = () => page.evaluate(() => document.documentElement.scrollWidth);
    await expect.poll(wide).toBeLessThanOrEqual(360);
    await browser.send('Page.setFontSizes', { fontSizes: { standard: 16 } });
  };
  await page.goto('/onboarding');
  const next = page.getByRole('button', { name: 'Continue' });
  await expect(next).toBeInViewport({ ratio: 1 });
  await page.getByLabel('Display name').fill('Jo');
  await expectToFit();
  await next.click();
  await expect(page.getByLabel('Dog name')).toBeVisible();
  await expect(next).toBeInViewport({ ratio: 1 });
  await page.getByLabel('Dog name').fill('Ida');
  await page.getByRole('radio', { name: 'Friendly' }).check();
  await expectToFit();
  await next.click();
  const enable = page.getByRole('button', { name: 'Enable Location' });
  const complete = page.getByRole('button', { name: 'Complete Setup' });
  await expect(enable).toBeInViewport({ ratio: 1 });
  await expect(complete).toBeInViewport({ ratio: 1 });
  await expectToFit();
  // This browser has no permissions.
  await enable.click();
  await expect(
    page.getByRole('alert').filter({ hasText: 'Unable to access your location' }),
  ).toBeVisible();
  await expectAccessible(page);
  expect(await page.evaluate(() => (window as unknown as { seen: string[] }).seen)).toEqual([]);
  await complete.click();
  await expect(page.getByRole('heading', { name: 'Welcome, Jo' })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Start walk' })).toBeVisible();
});

test('with a profile, Edit Profile is a page with photo, name and a line about the owner', async ({
  owner,
}) => {
  const { page, call } = await owner({ name: 'Toni' });
  await page.goto('/home');
  await page.getByRole('link', { name: 'Edit Profile' }).click();
  await expect(page).toHaveTitle('Edit Profile · Leashwise');
  await expect(page.getByLabel('Display name')).toHaveValue('Toni');
  await expectAccessible(page);
  await page.getByLabel('Display name').fill('Toni W.');
  await page.getByLabel('About you').fill('Mornings at the river');
  await page.locator('input[type=file]').setInputFiles(PHOTO);
  const photo = page.locator('form img');
  await expect(photo).toHaveJSProperty('complete', true);
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(page.getByRole('heading', { name: 'Welcome, Toni W.' })).toBeVisible();
  await expect
    .poll(() => call(getFullProfile))
    .toMatchObject({
      display_name: 'Toni W.',
      about: 'Mornings at the river',
      image_key: expect.any(String),
    });
  await page.getByRole('link', { name: 'Edit Profile' }).click();
  await expect(photo).toHaveAttribute('src', /^\/api\/files\//);
  await page.getByRole('button', { name: 'Remove photo' }).click();
  await expect(photo).toBeHidden();
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect
    .poll(() => call(getFullProfile))
    .toMatchObject({ about: 'Mornings at the river', image_key: null });
});

test('setup continues after a reload where it was, and its draft is deleted once done', async ({
  owner,
}) => {
  const { page, user, call } = await owner({ profile: false });
  await page.goto('/onboarding');
  await page.getByLabel('Display name').fill('Jo');
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByLabel('Dog name').fill('Ida');
  await page.getByRole('radio', { name: 'Needs space' }).check();
  const storedDraft = () =>
    page.evaluate((id) => localStorage.getItem(`cache-${id}-onboarding`), user.id);
  await expect.poll(storedDraft).toContain('leash_on');
  await page.reload();
  await expect(page.getByLabel('Dog name')).toHaveValue('Ida');
  await expect(page.getByRole('radio', { name: 'Needs space' })).toBeChecked();
  await page.getByRole('button', { name: 'Back' }).click();
  await expect(page.getByLabel('Display name')).toHaveValue('Jo');
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByRole('button', { name: 'Complete Setup' }).click();
  await expect(page.getByRole('heading', { name: 'Welcome, Jo' })).toBeVisible();
  expect(await storedDraft()).toBeNull();
  await expect
    .poll(async () => (await call(listDogs)).dogs)
    .toMatchObject([{ name: 'Ida', sound_type: 'leash_on' }]);
});

test('a profile completed on another device replaces the draft of the setup', async ({ owner }) => {
  const { page, user, call } = await owner({ profile: false });
  await page.goto('/onboarding');
  await page.getByLabel('Display name').fill('Half done');
  const storedDraft = () =>
    page.evaluate((id) => localStorage.getItem(`cache-${id}-onboarding`), user.id);
  await expect.poll(storedDraft).toContain('Half done');
  const body = { display_name: 'Done elsewhere', is_location_sharing_enabled: false };
  await call(saveProfile, { body });
  await page.reload();
  await expect(page).toHaveTitle('Edit Profile · Leashwise');
  await expect(page.getByLabel('Display name')).toHaveValue('Done elsewhere');
  expect(await storedDraft()).toBeNull();
});

test('a name typed before the profile arrives on a new device is still there afterward', async ({
  owner,
  device,
}) => {
  const { page } = await device(await owner({ name: 'Jules' }));
  let isBlocked = true;
  await page.routeWebSocket('**/sync', (socket) => {
    if (isBlocked) void socket.close();
    else socket.connectToServer();
  });
  await page.goto('/onboarding');
  const name = page.getByLabel('Display name');
  await name.fill('Jules the Second');
  await expect(page).toHaveTitle('Set up · Leashwise');
  isBlocked = false;
  await expect(page).toHaveTitle('Edit Profile · Leashwise');
  await expect(name).toHaveValue('Jules the Second');
  await expect(name).toBeFocused();
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(page.getByRole('heading', { name: 'Welcome, Jules the Second' })).toBeVisible();
});

test('shows an error and stays on the page when the dog or the profile can’t be saved', async ({
  owner,
}) => {
  const { page } = await owner({ profile: false });
  const logged: string[] = [];
  page.on('console', (message) => void logged.push(message.text()));
  /** Fills in more than the field allows. */
  async function fillTooLong(label: string): Promise<void> {
    const field = page.getByLabel(label);
    await field.evaluate((input: HTMLInputElement) => input.removeAttribute('maxlength'));
    await field.fill('x'.repeat(101));
  }
  await page.goto('/onboarding');
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByRole('radio', { name: 'Friendly' }).check();
  await fillTooLong('Dog name');
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByRole('button', { name: 'Complete Setup' }).click();
  await expect(
    page.getByRole('alert').filter({ hasText: 'Failed to add your dog.' }),
  ).toBeVisible();
  await page.getByRole('button', { name: 'Back' }).click();
  await page.getByRole('button', { name: 'Back' }).click();
  await fillTooLong('Display name');
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByRole('button', { name: 'Complete Setup' }).click();
  const problem = 'Failed to create your user profile.';
  await expect(page.getByRole('alert').filter({ hasText: problem })).toBeVisible();
  await expect(page).toHaveURL('/onboarding');
  for (const words of ['Failed to add your dog.', problem])
    expect(logged.join('\n')).toContain(words);
});
